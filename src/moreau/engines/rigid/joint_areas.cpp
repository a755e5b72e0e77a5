#include "moreau/engines/rigid/joint_areas.hpp"

#include <algorithm>

namespace moreau::inline engines {

double spanned_area(const Vec<2>* points, std::size_t count, const Vec<2>& normal) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (std::size_t k = 0; k < count; ++k) {
    const double along = normal[0] * points[k][1] - normal[1] * points[k][0];
    least = std::min(least, along), most = std::max(most, along);
  }
  return count > 0 ? most - least : 0.0;
}

// Andrew's chain on the points in a plane across the normal.
double spanned_area(const Vec<3>* points, std::size_t count, const Vec<3>& normal) {
  if (count < 3) return 0.0;
  const int thin = std::abs(normal[0]) < std::abs(normal[1]) ? (std::abs(normal[0]) < std::abs(normal[2]) ? 0 : 2)
                                                             : (std::abs(normal[1]) < std::abs(normal[2]) ? 1 : 2);
  Vec<3> axis{};
  axis[thin] = 1.0;
  Vec<3> first = cross(normal, axis);
  first *= 1.0 / norm(first);
  const Vec<3> second = cross(normal, first);
  std::vector<Vec<2>> flat(count), hull;
  for (std::size_t k = 0; k < count; ++k) flat[k] = {{dot(first, points[k] - points[0]), dot(second, points[k] - points[0])}};
  std::sort(flat.begin(), flat.end(), [](const Vec<2>& p, const Vec<2>& q) { return p[0] != q[0] ? p[0] < q[0] : p[1] < q[1]; });
  const auto turn = [](const Vec<2>& o, const Vec<2>& p, const Vec<2>& q) {
    return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
  };
  const auto chain = [&](auto begin, auto end) {
    const std::size_t floor = hull.size() + 1;
    for (auto p = begin; p != end; ++p) {
      while (hull.size() > floor && turn(hull[hull.size() - 2], hull.back(), *p) <= 0.0) hull.pop_back();
      hull.push_back(*p);
    }
    hull.pop_back();  // the other chain begins with it
  };
  chain(flat.begin(), flat.end()), chain(flat.rbegin(), flat.rend());
  double twice = 0.0;
  for (std::size_t k = 1; k + 1 < hull.size(); ++k) twice += turn(hull[0], hull[k], hull[k + 1]);
  return 0.5 * twice;
}

namespace {

constexpr int bits_of_features = 32;  // below those that name the two parts (docs/run-folder.md, feature)

}  // namespace

template <int D>
void find_joint_areas(const Model<D>& model, const State<D>& state, Workspace<D>& work) {
  const StepView<D> view{model, state, work};
  const Detector<D>& detector = work.detector;
  const std::vector<FoundContact>& found = detector.found;
  const bool needed = std::ranges::count(model.joints_per_area, 1) > 0;
  work.joint_areas.assign(needed ? found.size() : 0, 0.0);
  if (!needed) return;
  const std::vector<double>& before = state.contacts.area;
  std::vector<Vec<D>> points;
  for (std::size_t begin = 0, end; begin < found.size(); begin = end) {
    const FoundContact& c = found[begin];
    const TouchingPoint<D>* where = detector.point_of(begin);
    const auto same_parts = [&](std::size_t i) {
      const TouchingPoint<D>* other = detector.point_of(i);
      return found[i].a == c.a && found[i].b == c.b && (detector.image.empty() || detector.image[i] == detector.image[begin]) &&
             (where == nullptr) == (other == nullptr) &&
             (where == nullptr || where->feature >> bits_of_features == other->feature >> bits_of_features);
    };
    points.clear();
    for (end = begin; end < found.size() && same_parts(end); ++end)
      if (const TouchingPoint<D>* point = detector.point_of(end)) points.push_back(point->point);
    if (!model.joint_is_per_area(view.law_of(c.a, c.b))) {
      std::fill(work.joint_areas.begin() + static_cast<std::ptrdiff_t>(begin),
                work.joint_areas.begin() + static_cast<std::ptrdiff_t>(end), 1.0);
    } else if (view.is_being_joined(c)) {
      const double share =
          where ? spanned_area(points.data(), points.size(), where->normal) / static_cast<double>(end - begin) : 0.0;
      for (std::size_t i = begin; i < end; ++i) work.joint_areas[i] = share;
    } else {
      for (std::size_t i = begin; i < end; ++i)
        if (found[i].recalled >= 0 && !before.empty()) work.joint_areas[i] = before[static_cast<std::size_t>(found[i].recalled)];
    }
  }
}

template void find_joint_areas(const Model<2>&, const State<2>&, Workspace<2>&);
template void find_joint_areas(const Model<3>&, const State<3>&, Workspace<3>&);

}  // namespace moreau::inline engines
