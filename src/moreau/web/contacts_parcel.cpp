#include <algorithm>
#include <cmath>

#include "moreau/draw/picture/shown_box.hpp"
#include "moreau/web/frame_sample.hpp"
#include "moreau/web/places.hpp"

namespace moreau::web {

namespace {

// |f_T| / (mu f_N) in 200ths, at most 250; 255 where there is no friction or no push.
std::uint8_t mobilised(double tangential, double normal, double friction) {
  if (!(friction > 0.0) || !(normal > 0.0)) return 255;
  return static_cast<std::uint8_t>(std::clamp(std::round(200.0 * tangential / (friction * normal)), 0.0, 250.0));
}

}  // namespace

template <int D>
std::string contacts_parcel(const ShownFrame<D>& shown, const Scene<D>& scene) {
  const Frame<D>& frame = shown.inside();
  const ContactRecords<D>& contacts = frame.contacts;
  const measure::Sample<D> sample = sample_of(shown, scene);
  std::vector<std::int32_t> a, b;
  std::vector<float> normal, tangential, gap, shift;
  std::vector<std::uint8_t> used, status;
  std::vector<Vec<3>> points;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    // A contact is of the step before its frame; a sink may have taken a body since.
    const std::int32_t row = shown.row[static_cast<std::size_t>(contacts.a[c])];
    const std::int32_t other = is_wall(contacts.b[c]) ? contacts.b[c] : shown.row[static_cast<std::size_t>(contacts.b[c])];
    if (row < 0 || (other < 0 && !is_wall(contacts.b[c]))) continue;
    a.push_back(row), b.push_back(other);
    const double push_part = sample.normal_force(c), slide_part = norm(sample.tangential_force(c));
    normal.push_back(static_cast<float>(push_part)), tangential.push_back(static_cast<float>(slide_part));
    gap.push_back(static_cast<float>(contacts.gap[c]));
    used.push_back(mobilised(slide_part, push_part, sample.friction[c]));
    status.push_back(static_cast<std::uint8_t>(contacts.status[c]));
    points.push_back(lifted(contacts.point[c]));
    if (!contacts.shift.empty()) push_back(shift, is_wall(other) ? Vec<3>{} : lifted(contacts.shift[c]));
  }
  Parcel parcel(nlohmann::ordered_json::object());
  parcel.add("a", a), parcel.add("b", b);
  parcel.add("force", normal), parcel.add("friction", tangential), parcel.add("gap", gap);
  parcel.add("mobilised", used), parcel.add("status", status);
  add_places(parcel, "point", places_of(points, shown.size));
  parcel.add("shift", shift, 3);  // to the image of b that touches; empty without a periodic cell
  return parcel.bytes();
}

template std::string contacts_parcel(const ShownFrame<2>&, const Scene<2>&);
template std::string contacts_parcel(const ShownFrame<3>&, const Scene<3>&);

}  // namespace moreau::web
