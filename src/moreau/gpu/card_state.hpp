// The bodies and contacts of a state in the memory of a machine.
#pragma once

#include "moreau/dynamics/state.hpp"
#include "moreau/gpu/array.hpp"
#include "moreau/gpu/card_shapes.hpp"
#include "moreau/gpu/contact_loops.hpp"

namespace moreau::gpu {

template <int D, class Machine>
class CardBodies {
 public:
  explicit CardBodies(Machine& m)
      : m_(m),
        radius_(m),
        mass_(m),
        inertia_(m),
        material_(m),
        kind_(m),
        position_(m),
        middle_(m),
        velocity_(m),
        spin_(m),
        orientation_(m),
        order_(m),
        slot_(m),
        shape_(m),
        shapes_(m),
        half_turned_(m),
        axes_(m) {}

  void put(const State<D>& state) {
    const BodyParameters<D>& p = state.bodies.parameters;
    const BodyState<D>& s = state.bodies.state;
    radius_.put(p.radius), mass_.put(p.mass), inertia_.put(p.inertia), material_.put(p.material), kind_.put(p.kind);
    position_.put(s.position), velocity_.put(s.velocity), spin_.put(s.spin), orientation_.put(s.orientation);
    middle_.resize(p.size()), slot_.resize(p.size());
    order_.put(state.order);
    put_shapes(state.bodies, true);
  }
  // Bodies of the state beyond those that are here; in the order they come last.
  void append(const State<D>& state) {
    const BodyParameters<D>& p = state.bodies.parameters;
    const BodyState<D>& s = state.bodies.state;
    std::vector<std::int32_t> order(p.size());
    for (std::size_t i = size(); i < p.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    radius_.append(p.radius), mass_.append(p.mass), inertia_.append(p.inertia), material_.append(p.material),
        kind_.append(p.kind);
    position_.append(s.position), velocity_.append(s.velocity), spin_.append(s.spin), orientation_.append(s.orientation);
    order_.append(order);
    middle_.resize(p.size()), slot_.resize(p.size());
    put_shapes(state.bodies, false);
  }
  BodyKind* kind() { return kind_.data(); }
  void fetch_positions(State<D>& state) const {
    position_.get(state.bodies.state.position);
    if (any_shape()) orientation_.get(state.bodies.state.orientation);
  }
  bool any_shape() const { return shape_.size() > 0; }
  void fetch_body(std::size_t i, BodyState<D>& s) const {
    m_.download(&s.position[i], position_.data() + i, sizeof(s.position[i]));
    m_.download(&s.velocity[i], velocity_.data() + i, sizeof(s.velocity[i]));
    m_.download(&s.spin[i], spin_.data() + i, sizeof(s.spin[i]));
  }
  void fetch(State<D>& state) const {
    BodyState<D>& s = state.bodies.state;
    position_.get(s.position), velocity_.get(s.velocity), spin_.get(s.spin), orientation_.get(s.orientation);
    order_.get(state.order);
  }
  void fetch_order(std::vector<std::int32_t>& order) const { order_.get(order); }
  std::size_t size() const { return position_.size(); }
  BodyRows<D> rows() const {
    return {radius_.data(), mass_.data(),     inertia_.data(), material_.data(),    kind_.data(), position_.data(),
            middle_.data(), velocity_.data(), spin_.data(),    orientation_.data(), slot_.data(), any_shape() ? shape_.data() : nullptr,
            shapes_.rows(), half_turned_.data(), axes_.data()};
  }
  std::int32_t* order(std::size_t size) { return order_.resize(size); }
  const std::int32_t* order() const { return order_.data(); }
  std::uint32_t* slot() { return slot_.data(); }
  std::size_t bytes() const {
    return radius_.bytes() + mass_.bytes() + inertia_.bytes() + material_.bytes() + kind_.bytes() + position_.bytes() +
           middle_.bytes() + velocity_.bytes() + spin_.bytes() + orientation_.bytes() + order_.bytes() + slot_.bytes() +
           shape_.bytes() + shapes_.bytes() + half_turned_.bytes() + axes_.bytes();
  }

 private:
  void put_shapes(const Bodies<D>& bodies, bool anew) {
    if (bodies.all_round()) {
      shape_.resize(0);
      return;
    }
    shape_.put(bodies.parameters.shape);
    if (anew || shapes_.size() != bodies.shapes.size()) shapes_.put(bodies.shapes);
    half_turned_.resize(bodies.size()), axes_.resize(bodies.size());
  }

  Machine& m_;
  Array<double, Machine> radius_, mass_, inertia_;
  Array<std::int32_t, Machine> material_;
  Array<BodyKind, Machine> kind_;
  Array<Vec<D>, Machine> position_, middle_, velocity_;
  Array<Spin<D>, Machine> spin_;
  Array<Rotation<D>, Machine> orientation_;
  Array<std::int32_t, Machine> order_;
  Array<std::uint32_t, Machine> slot_;
  Array<std::int32_t, Machine> shape_;
  CardShapes<D, Machine> shapes_;
  Array<Rotation<D>, Machine> half_turned_;
  Array<Matrix<D>, Machine> axes_;
};

template <int D, class Machine>
class CardContacts {
 public:
  explicit CardContacts(Machine& m)
      : m_(m), a_(m), b_(m), gap_(m), normal_(m), impulse_(m), couple_(m), image_(m), condition_(m), colour_(m), row_(m), point_(m), feature_(m) {}

  void put(const ContactTable<D>& t, std::size_t bodies) {
    a_.put(t.a), b_.put(t.b), gap_.put(t.gap), normal_.put(t.normal), impulse_.put(t.impulse);
    image_.put(t.image), colour_.put(t.colour), condition_.put(t.condition), couple_.put(t.couple);
    point_.put(t.point), feature_.put(t.feature);
    coloured_ = !t.colour.empty() || t.size() == 0;
    begin_rows(bodies);
  }
  void begin_rows(std::size_t bodies) {
    row_.resize(bodies + 1);
    m_.run(a_.size() + 1, BeginRows{a_.data(), row_.data(), a_.size(), bodies});
  }
  void fetch(ContactTable<D>& t) const {
    t.resize(a_.size(), point_.size() > 0, image_.size() > 0);
    t.resize_law_rows(condition_.size() > 0, couple_.size() > 0);
    a_.get(t.a), b_.get(t.b), gap_.get(t.gap), normal_.get(t.normal), impulse_.get(t.impulse);
    if (image_.size() > 0) image_.get(t.image);
    if (coloured_) colour_.get(t.colour);
    condition_.get(t.condition), couple_.get(t.couple);
    point_.get(t.point), feature_.get(t.feature);
  }
  void resize(std::size_t contacts, std::size_t bodies, bool images, bool conditions, bool couples, bool points) {
    a_.resize(contacts), b_.resize(contacts), gap_.resize(contacts), normal_.resize(contacts), impulse_.resize(contacts);
    condition_.resize(conditions ? contacts : 0), couple_.resize(couples ? contacts : 0);
    image_.resize(images ? contacts : 0), colour_.resize(contacts), row_.resize(bodies + 1);
    point_.resize(points ? contacts : 0), feature_.resize(points ? contacts : 0);
    coloured_ = true;
  }
  ContactRows<D> rows() const {
    const auto some = [](const auto& array) { return array.size() > 0 ? array.data() : nullptr; };
    return {a_.data(),   b_.data(),      gap_.data(),      normal_.data(), impulse_.data(), some(image_),
            colour_.data(), some(condition_), some(couple_), row_.data(),    some(point_),
            some(feature_), a_.size()};
  }
  bool coloured() const { return coloured_; }  // else none has a colour yet
  std::size_t bytes() const {
    return a_.bytes() + b_.bytes() + gap_.bytes() + normal_.bytes() + impulse_.bytes() + image_.bytes() + colour_.bytes() +
           row_.bytes() + condition_.bytes() + couple_.bytes() + point_.bytes() + feature_.bytes();
  }

 private:
  Machine& m_;
  Array<std::int32_t, Machine> a_, b_;
  Array<double, Machine> gap_;
  Array<Vec<D>, Machine> normal_, impulse_;
  Array<Spin<D>, Machine> couple_;
  Array<Image, Machine> image_;
  Array<ContactCondition, Machine> condition_;
  Array<std::uint8_t, Machine> colour_;
  Array<std::uint32_t, Machine> row_;
  Array<Vec<D>, Machine> point_;
  Array<std::uint64_t, Machine> feature_;
  bool coloured_ = true;
};

}  // namespace moreau::gpu
