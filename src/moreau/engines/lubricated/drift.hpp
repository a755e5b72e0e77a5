// What moves of itself over a time, whatever the forces: walls with motions, pistons of given velocity, driven bodies, the
// components of the cell that have rates.
#pragma once

#include "moreau/statics/contact.hpp"
#include "moreau/statics/freedoms.hpp"

namespace moreau::lubricated {

template <int D>
class Drift {
 public:
  // From the time of the state on.
  Drift(const Model<D>& model, const State<D>& state, double duration);

  // With which a contact opens by it [velocity].
  double opening(const statics::Contact<D>& c) const;
  const Matrix<D>& gradient() const { return gradient_; }
  const Vec<D>& body(std::size_t i) const { return body_.empty() ? none_ : body_[i]; }
  // Driven bodies, pistons and time go on; the bodies of a cell and its vectors are left to whoever knows all of its gradient.
  void apply(const Model<D>& model, State<D>& state) const;

 private:
  double duration_;
  std::vector<Vec<D>> wall_, body_;  // mean velocities; body: empty if none is driven
  std::vector<double> piston_;       // of each, 0 where it answers to forces
  Matrix<D> gradient_{};
  Vec<D> none_{};
};

}  // namespace moreau::lubricated
