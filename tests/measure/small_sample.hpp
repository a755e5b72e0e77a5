// Samples of a few bodies whose contact forces are written by hand.
#pragma once

#include <initializer_list>
#include <memory>

#include "moreau/measure/region.hpp"

namespace moreau::measure {

template <int D>
class SmallSample {
 public:
  SmallSample() {
    model_.time_step = 0.01;
    model_.materials = {{"grain", 1.0}};
    model_.pair_laws = {PairLaw{}};
  }
  double& friction() { return model_.pair_laws[0].friction; }
  Vec<D>& gravity() { return model_.gravity; }

  std::int32_t body(const Vec<D>& x, double radius, BodyKind kind = BodyKind::free, const Vec<D>& velocity = {},
                    double birth = 0.0) {
    NewBody<D> b = homogeneous_ball<D>(x, radius, 1.0);
    b.kind = kind, b.velocity = velocity, b.birth = birth;
    bodies_.append(b);
    return static_cast<std::int32_t>(bodies_.size()) - 1;
  }
  // Returns the number by which contacts know it.
  std::int32_t plane(const Vec<D>& point, const Vec<D>& normal) {
    model_.walls.push_back({"wall" + std::to_string(model_.walls.size()), {WallShape::plane, point, normal, 0.0}, 0, -1});
    return ~static_cast<std::int32_t>(model_.walls.size() - 1);
  }
  std::int32_t cylinder(const Vec<D>& point, double radius) {
    Vec<D> axis{};
    axis[D - 1] = 1.0;
    model_.walls.push_back({"drum", {WallShape::cylinder, point, axis, radius}, 0, -1});
    return ~static_cast<std::int32_t>(model_.walls.size() - 1);
  }
  // The contact between touching balls, or a ball and a plane: b pushes a with `normal` along the normal, and with `tangential`.
  void contact(std::int32_t a, std::int32_t b, double normal, const Vec<D>& tangential = {},
               ContactStatus status = ContactStatus::stick) {
    const auto& x = bodies_.state.position;
    const std::size_t i = static_cast<std::size_t>(a);
    const Vec<D> n = is_wall(b) ? model_.walls[static_cast<std::size_t>(wall_index(b))].geometry.direction
                                : normalized(x[i] - x[static_cast<std::size_t>(b)]);
    contact_at(a, b, x[i] - bodies_.parameters.radius[i] * n, n, normal * n + tangential, status);
  }
  void contact_at(std::int32_t a, std::int32_t b, const Vec<D>& point, const Vec<D>& n, const Vec<D>& force,
                  ContactStatus status = ContactStatus::stick) {
    records_.a.push_back(a), records_.b.push_back(b), records_.point.push_back(point), records_.normal.push_back(n);
    records_.gap.push_back(0.0), records_.impulse.push_back(model_.time_step * force), records_.force.push_back(force);
    records_.relative_velocity.push_back({}), records_.status.push_back(status);
  }
  // Looks at this object, which must stay.
  Sample<D> sample() const {
    return sample_of(model_, bodies_.shapes, 0.0, bodies_.parameters, bodies_.state, records_,
                     std::vector<Vec<D>>(model_.walls.size(), Vec<D>{}));
  }
  Bodies<D>& bodies() { return bodies_; }

 private:
  Model<D> model_;
  Bodies<D> bodies_;
  ContactRecords<D> records_;
};

inline Region<2> box(double x0, double y0, double x1, double y1) {
  Region<2> r;
  r.outside.low = {{x0, y0}}, r.outside.high = {{x1, y1}};
  return r;
}

template <int D>
Region<D> everywhere(double volume_side = 1e6) {
  Region<D> r;
  for (int d = 0; d < D; ++d) r.outside.low[d] = -volume_side, r.outside.high[d] = volume_side;
  return r;
}

// A square lattice of touching discs of diameter 1 in the square of side n, every contact in the state of a uniform stress:
//   sigma_xx = fx, sigma_yy = fy, sigma_xy = sigma_yx = shear (compression positive); forces per unit length are forces per
//   contact.
inline SmallSample<2> lattice_under_stress(int n, double fx, double fy, double shear) {
  SmallSample<2> s;
  s.friction() = 1.0;
  const std::int32_t left = s.plane({{0, 0}}, {{1, 0}}), right = s.plane({{static_cast<double>(n), 0}}, {{-1, 0}});
  const std::int32_t bottom = s.plane({{0, 0}}, {{0, 1}}), top = s.plane({{0, static_cast<double>(n)}}, {{0, -1}});
  const auto at = [n](int i, int j) { return static_cast<std::int32_t>(i + n * j); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) s.body({{i + 0.5, j + 0.5}}, 0.5);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {  // f (x) l with l = +x for the neighbour on the left: f = (fx, shear)
      s.contact(at(i, j), i > 0 ? at(i - 1, j) : left, fx, {{0, shear}});
      if (i == n - 1) s.contact(at(i, j), right, fx, {{0, -shear}});
      s.contact(at(i, j), j > 0 ? at(i, j - 1) : bottom, fy, {{shear, 0}});
      if (j == n - 1) s.contact(at(i, j), top, fy, {{-shear, 0}});
    }
  return s;
}

}  // namespace moreau::measure
