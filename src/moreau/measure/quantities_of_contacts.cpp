// Tables of the directions and forces of contacts.
#include <fmt/format.h>

#include <numbers>

#include "moreau/measure/contacts/contact_changes.hpp"
#include "moreau/measure/contacts/fabric.hpp"
#include "moreau/measure/contacts/force_distribution.hpp"
#include "moreau/measure/contacts/mobilisation.hpp"
#include "moreau/measure/packing/orientation.hpp"
#include "moreau/measure/quantity.hpp"

namespace moreau::measure {

namespace {

constexpr double degrees = 180.0 / std::numbers::pi;

// `row(region, strength, contacts)` for every region, all contacts and the weak and strong ones. Obstacles order the
// contacts with them; without choices.walls these are left out.
template <int D, class Row>
void for_selections(const Sample<D>& sample, const Choices& choices, const Row& row) {
  for (const Region<D>& region : regions_of(sample, choices))
    for (const Strength strength : strengths)
      row(region, strength_name[static_cast<int>(strength)],
          select_directions(sample, region, strength, choices.walls, choices.threshold));
}

template <int D>
Table fabric_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  for_selections(sample, choices, [&](const Region<D>& region, const char* set, const std::vector<std::size_t>& contacts) {
    const Fabric<D> f = fabric(sample, contacts);
    RowWriter row(table);
    row.add("region", region.name);
    row.add("set", set);
    row.add("contacts", f.contacts);
    row.add_tensor("fabric", f.tensor, D);
    row.add("anisotropy", f.anisotropy);
    row.add_vector("direction", f.direction, D);
  });
  return table;
}

int angle_classes(const Choices& choices) { return choices.classes > 0 ? choices.classes : 36; }

template <int D>
Table orientation_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  for_selections(sample, choices, [&](const Region<D>& region, const char* set, const std::vector<std::size_t>& contacts) {
    const OrientationHistogram h = orientation_histogram<D>(contact_angles(sample, contacts), angle_classes(choices));
    for (std::size_t k = 0; k < h.count.size(); ++k) {
      RowWriter row(table);
      row.add("region", region.name);
      row.add("set", set);
      row.add("from_degrees", h.from[k] * degrees);
      row.add("to_degrees", h.to[k] * degrees);
      row.add("contacts", h.count[k]);
      row.add("density", h.density[k]);
      row.add("order2", h.order2[k]);
      row.add("order4", h.order4[k]);
    }
  });
  return table;
}

template <int D>
Table orientation_fit_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  for_selections(sample, choices, [&](const Region<D>& region, const char* set, const std::vector<std::size_t>& contacts) {
    const OrientationFit f = fit_orientations<D>(contact_angles(sample, contacts), angle_classes(choices));
    RowWriter row(table);
    row.add("region", region.name);
    row.add("set", set);
    row.add("contacts", f.contacts);
    row.add("a2", f.a2);
    row.add("a2_uncertainty", f.uncertainty2);
    if (D == 2) row.add("t2_degrees", f.t2 * degrees);
    row.add("a4", f.a4);
    row.add("a4_uncertainty", f.uncertainty4);
    if (D == 2) row.add("t4_degrees", f.t4 * degrees);
    row.add("likelihood_even", f.likelihood0);
    row.add("likelihood_order2", f.likelihood2);
    row.add("likelihood_order4", f.likelihood4);
  });
  return table;
}

struct Forces {
  const char* component;
  std::vector<double> values;
};

// A tangential force below this part of the normal one is what rounding leaves of none.
constexpr double rounding_of_forces = 1e-12;

template <int D>
std::vector<Forces> forces_of(const Sample<D>& sample, const Region<D>& region, const Choices& choices) {
  std::vector<Forces> sets{{"normal", {}}, {"tangential", {}}};
  for (const std::size_t c : select_contacts(sample, region, Strength::all, choices.threshold)) {
    const double normal = sample.normal_force(c), tangential = norm(sample.tangential_force(c));
    sets[0].values.push_back(normal);
    sets[1].values.push_back(tangential > rounding_of_forces * std::abs(normal) ? tangential : 0.0);
  }
  return sets;
}

template <int D>
Table force_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  for (const Region<D>& region : regions_of(sample, choices))
    for (const Forces& forces : forces_of(sample, region, choices)) {
      const ForceStatistics s = force_statistics(forces.values);
      RowWriter row(table);
      row.add("region", region.name);
      row.add("component", forces.component);
      row.add("contacts", s.count);
      row.add("mean", s.mean);
      row.add("deviation", s.deviation);
      row.add("largest", s.largest);
      row.add("share_above_mean", s.share_above_mean);
    }
  return table;
}

constexpr std::size_t fewest_fitted = 10;

template <int D>
Table force_fit_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  const double none = std::nan("");
  bool fitted = false;
  for (const Region<D>& region : regions_of(sample, choices))
    for (const Forces& forces : forces_of(sample, region, choices)) {
      const std::vector<double> x = divided_by_mean(forces.values);
      const auto line = [&](const char* law, std::size_t count, double p1, double p2, double p3, double uncertainty,
                            const KolmogorovSmirnov& test) {
        RowWriter row(table);
        row.add("region", region.name);
        row.add("component", forces.component);
        row.add("law", law);
        row.add("contacts", count);
        row.add("p1", p1), row.add("p2", p2), row.add("p3", p3);
        row.add("p1_uncertainty", uncertainty);
        row.add("ks_distance", test.distance);
        row.add("ks_likelihood", test.likelihood);
      };
      if (x.size() < fewest_fitted) {
        line(x.empty() ? "none: there are no such forces" : "none: too few forces", x.size(), none, none, none, none,
             {none, none});
        continue;
      }
      fitted = true;
      const PowerExponential whole = fit_power_exponential(x), published = published_bulk_law();
      const TailFit tail = fit_exponential_tail(x), small = fit_small_power(x);
      const auto against = [&](const PowerExponential& law) {
        return compare_with_law(x, [&](double v) { return law.cumulative(v); });
      };
      line("x^p1 exp(-p2 x^p3)", x.size(), whole.b, whole.c, whole.d, none, against(whole));
      line("exp(-p1 x), x > 1", tail.count, tail.exponent, none, none, tail.uncertainty, tail.test);
      line("x^p1, x <= 0.1", small.count, small.exponent, none, none, small.uncertainty, small.test);
      line("Combe 2001, frictionless bulk", x.size(), published.b, published.c, published.d, none, against(published));
      line("Radjai 1996 tail, x > 1", tail.count, 1.4, none, none, none, test_exponential_tail(x, 1.4));
    }
  return fitted ? table
                : Table::refused(fmt::format("there are fewer than {} contact forces, too few to fit a law", fewest_fitted));
}

template <int D>
Table force_histogram_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  const int classes = choices.classes > 0 ? choices.classes : 40;
  for (const Region<D>& region : regions_of(sample, choices))
    for (const Forces& forces : forces_of(sample, region, choices)) {
      const std::vector<double> x = divided_by_mean(forces.values);
      if (x.empty()) continue;
      const double largest = *std::max_element(x.begin(), x.end()) * (1.0 + 1e-12);
      const ForceHistogram h = force_histogram(x, classes, largest);
      const PowerExponential law = fit_power_exponential(x);
      for (std::size_t k = 0; k < h.count.size(); ++k) {
        RowWriter row(table);
        row.add("region", region.name);
        row.add("component", forces.component);
        row.add("from", h.from[k]);
        row.add("to", h.to[k]);
        row.add("contacts", h.count[k]);
        row.add("density", h.density[k]);
        row.add("fit", (law.cumulative(h.to[k]) - law.cumulative(h.from[k])) / (h.to[k] - h.from[k]));
      }
    }
  return table.rows.empty() ? Table::refused("there are no contact forces") : table;
}

template <int D>
Table mobilisation_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  for_selections(sample, choices, [&](const Region<D>& region, const char* set, const std::vector<std::size_t>& contacts) {
    const Mobilisation m = mobilisation(sample, contacts);
    RowWriter row(table);
    row.add("region", region.name);
    row.add("set", set);
    row.add("contacts_with_friction", m.contacts);
    row.add("mean", m.mean);
    row.add("force_weighted", m.force_weighted);
    row.add("sliding", m.sliding);
    row.add("share_sliding", m.contacts > 0 ? static_cast<double>(m.sliding) / static_cast<double>(m.contacts) : 0.0);
  });
  return table;
}

template <int D>
Table contact_change_table(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) {
  const ContactChanges c = contact_changes(before, sample, choices.threshold);
  Table table;
  RowWriter row(table);
  row.add("before", c.before);
  row.add("after", c.after);
  row.add("kept", c.kept);
  row.add("gained", c.gained);
  row.add("lost", c.lost);
  row.add("gained_weak", c.gained_weak);
  row.add("lost_weak", c.lost_weak);
  return table;
}

}  // namespace

template <int D>
void add_contact_quantities(std::vector<Quantity<D>>& list) {
  list.push_back({"fabric", "fabric tensor of all, weak and strong contacts", Needs::one, true, fabric_table<D>});
  list.push_back({"orientations", "histogram of contact directions with its Fourier fits of order 2 and 4", Needs::one, true,
                  orientation_table<D>});
  list.push_back({"orientation-fit", "amplitudes and directions of these fits, and how likely they are", Needs::one, true,
                  orientation_fit_table<D>});
  list.push_back({"forces", "normal and tangential contact forces: mean, deviation, largest", Needs::one, true, force_table<D>});
  list.push_back({"force-histogram", "distribution of f / <f>, with the fitted law", Needs::one, true, force_histogram_table<D>});
  list.push_back(
      {"force-fit", "published laws of f / <f>: parameters and Kolmogorov-Smirnov tests", Needs::one, true, force_fit_table<D>});
  list.push_back(
      {"mobilisation", "share of the available friction in use, and sliding contacts", Needs::one, true, mobilisation_table<D>});
  list.push_back(
      {"contact-changes", "contacts gained and lost since an earlier frame", Needs::two, false, contact_change_table<D>});
}

template void add_contact_quantities(std::vector<Quantity<2>>&);
template void add_contact_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
