// The contact law between two materials as the loops of a card see it (law/pair_law.hpp). Joints
// and friction that depends on the direction are not there.
#pragma once

#include <cstddef>
#include <vector>

#include "moreau/gpu/array.hpp"
#include "moreau/gpu/card_rows.hpp"
#include "moreau/law/step_law.hpp"
#include "moreau/solver/contact_kind.hpp"

namespace moreau::gpu {

// The members that law_in_step() asks for are those of PairLaw.
struct LawRow {
  double friction, normal_restitution, tangential_restitution;
  double static_friction, static_speed;
  SpeedTableView friction_at_speed, restitution_at_speed;
  double friction_cap, cohesion, rolling, pivoting;
  bool varies;
  ContactKind kind;
  MortarJoint joint{};
  double cross_friction = 0.0;

  explicit LawRow(const PairLaw& law)
      : friction(law.friction),
        normal_restitution(law.normal_restitution),
        tangential_restitution(law.tangential_restitution),
        static_friction(law.static_friction),
        static_speed(law.static_speed),
        friction_cap(law.friction_cap),
        cohesion(law.cohesion),
        rolling(law.rolling),
        pivoting(law.pivoting),
        varies(law.varies()),
        kind(law.rolls()     ? ContactKind::round_rolling
             : law.bounded() ? ContactKind::round_law
                             : ContactKind::round) {}
};

// The law of a contact; walls have a material too.
template <int D>
struct PairLaws {
  const std::int32_t* material;  // by body
  const WallRow<D>* walls;
  const LawRow* laws;
  std::int64_t materials;
  MOREAU_INLINE const LawRow& of(std::int32_t a, std::int32_t b) const {
    return laws[material[a] * materials + (b < 0 ? walls[-b - 1].material : material[b])];
  }
};

// The laws of a scene in the memory of a machine.
template <class Machine>
class CardLaws {
 public:
  explicit CardLaws(Machine& m) : rows_(m), numbers_(m) {}

  // Sent only when they have changed.
  void put(const std::vector<PairLaw>& laws) {
    if (laws == laws_) return;
    laws_ = laws;
    std::vector<double> numbers;
    std::vector<LawRow> rows;
    kinds_ = 0, beyond_ = false;
    for (const PairLaw& law : laws) {
      rows.push_back(LawRow(law));
      kinds_ |= 1u << static_cast<unsigned>(rows.back().kind);
      beyond_ |= law.bounded() || law.varies();
      for (const SpeedTable* table : {&law.friction_at_speed, &law.restitution_at_speed}) {
        numbers.insert(numbers.end(), table->speed.begin(), table->speed.end());
        numbers.insert(numbers.end(), table->value.begin(), table->value.end());
      }
    }
    numbers_.put(numbers);
    const double* at = numbers_.data();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto view = [&](const SpeedTable& table) {
        const SpeedTableView there{at, at + table.speed.size(), table.speed.size()};
        at += 2 * table.speed.size();
        return there;
      };
      rows[k].friction_at_speed = view(laws[k].friction_at_speed), rows[k].restitution_at_speed = view(laws[k].restitution_at_speed);
    }
    rows_.put(rows);
  }
  const LawRow* rows() const { return rows_.data(); }
  bool any(ContactKind kind) const { return (kinds_ >> static_cast<unsigned>(kind) & 1u) != 0; }
  bool only_round() const { return kinds_ <= 1; }
  bool beyond() const { return beyond_; }  // some law is not Coulomb's with constant coefficients

 private:
  std::vector<PairLaw> laws_;  // as there
  Array<LawRow, Machine> rows_;
  Array<double, Machine> numbers_;  // of tables: speeds, then values
  unsigned kinds_ = 0;
  bool beyond_ = false;
};

}  // namespace moreau::gpu
