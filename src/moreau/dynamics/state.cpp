#include "moreau/dynamics/state.hpp"

#include <algorithm>
#include <string_view>

#include "moreau/base/hash.hpp"
#include "moreau/dynamics/fields.hpp"

namespace moreau::inline dynamics {

namespace {

// Takes every member of the state, and those of its parts, to the hash.
template <int D>
struct Hashed {
  Hash& hash;

  // Numbers and columns that states had not from the beginning count only where they are there: hashes of states without them stay.
  template <class T>
  void operator()(const char*, const T& numbers) const {
    hash.value(numbers);
  }
  void operator()(const char* name, const double& number) const {
    if (name != std::string_view("left_overlap") || number != 0.0) hash.value(number);
  }
  template <class T>
  void operator()(const char* name, const std::vector<T>& column) const {
    const std::string_view later[] = {"apart", "area", "wear"};
    if (column.empty() && std::ranges::find(later, name) != std::end(later)) return;
    hash.array(column);
  }
  void operator()(const char*, const Bodies<D>& bodies) const {
    fields::body_parameters(bodies.parameters, *this);
    for (const Shape<D>& shape : bodies.shapes) {
      hash.value(shape.volume), hash.value(shape.gyration);
      for (const ConvexPart<D>& part : shape.parts) hash.array(part.vertices), hash.value(part.radius);
    }
    fields::body_state(bodies.state, *this);
  }
  void operator()(const char*, const ContactTable<D>& table) const { fields::contact_table(table, *this); }
  void operator()(const char*, const BrokenJoints<D>& broken) const {
    if (broken.size() > 0) fields::broken_joints(broken, *this);
  }
  void operator()(const char*, const std::vector<SourceState>& sources) const {
    for (const auto& [emitted, mass, random] : sources) {
      hash.value(emitted), hash.value(random.state());
      if (mass != 0.0) hash.value(mass);
    }
  }
  void operator()(const char*, const Integration<D>& kept) const { fields::integration(kept, *this); }
};

}  // namespace

template <int D>
std::string state_hash(const State<D>& state) {
  Hash hash;
  hash.value(D);
  fields::state(state, Hashed<D>{hash});
  return hash.hex();
}

template std::string state_hash(const State<2>&);
template std::string state_hash(const State<3>&);

}  // namespace moreau::inline dynamics
