// Tables of what is measured on heaps: forces across strips, ground pressure, fossil layers, slope.
#include <numbers>

#include "moreau/measure/heap/fossil_layer.hpp"
#include "moreau/measure/heap/ground_pressure.hpp"
#include "moreau/measure/heap/heap_slope.hpp"
#include "moreau/measure/quantity.hpp"

namespace moreau::measure {

namespace {

constexpr double degrees = 180.0 / std::numbers::pi;
constexpr const char* no_strip = "no strip is given; give them with --strip r1,z1,r2,z2";

template <int D>
Table strip_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  if (choices.strips.empty()) return Table::refused(no_strip);
  Table table;
  for (const Strip& strip : choices.strips) {
    const StripForce t = force_across(sample, strip, axis_of<D>(choices));
    RowWriter row(table);
    row.add("r1", strip.r1), row.add("z1", strip.z1), row.add("r2", strip.r2), row.add("z2", strip.z2);
    row.add("area", t.area);
    row.add("contacts", t.contacts);
    row.add("radial", t.radial);
    row.add("vertical", t.vertical);
    row.add("orthoradial", t.orthoradial);
    row.add("below_horizontal_degrees", std::atan2(-t.vertical, std::abs(t.radial)) * degrees);
  }
  return table;
}

// Every pair of strips whose middles are nearer than half the shorter one.
template <int D>
Table reciprocity_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  if (choices.strips.size() < 2)
    return Table::refused("reciprocity compares two strips; give them with --strip r1,z1,r2,z2, twice");
  Table table;
  for (std::size_t i = 0; i < choices.strips.size(); ++i)
    for (std::size_t j = i + 1; j < choices.strips.size(); ++j) {
      const Strip &p = choices.strips[i], &q = choices.strips[j];
      if (std::hypot(p.middle()[0] - q.middle()[0], p.middle()[1] - q.middle()[1]) > 0.5 * std::min(p.length(), q.length()))
        continue;
      const StripForce tp = force_across(sample, p, axis_of<D>(choices)), tq = force_across(sample, q, axis_of<D>(choices));
      RowWriter row(table);
      row.add("strip", i + 1);
      row.add("other", j + 1);
      row.add("r", p.middle()[0]), row.add("z", p.middle()[1]);
      row.add("contacts", tp.contacts);
      row.add("other_contacts", tq.contacts);
      row.add("normal_other_force", p.normal()[0] * tq.radial + p.normal()[1] * tq.vertical);
      row.add("other_normal_force", q.normal()[0] * tp.radial + q.normal()[1] * tp.vertical);
      row.add("residual", reciprocity_residual(p, tp, q, tq));
    }
  return table.rows.empty() ? Table::refused("no two strips have their middles near each other, so none can be compared") : table;
}

template <int D>
Table ground_pressure_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  const double width = choices.width > 0.0 ? choices.width : 2.0 * mean_diameter(sample);
  if (!(width > 0.0)) return Table::refused("the sample has no free grain");
  Table table;
  for (const PressureRing& ring : ground_pressure(sample, axis_of<D>(choices), width)) {
    RowWriter row(table);
    row.add("from", ring.from);
    row.add("to", ring.to);
    row.add("area", ring.area);
    row.add("contacts", ring.contacts);
    row.add("force", ring.force);
    row.add("pressure", ring.pressure());
  }
  return table.rows.empty()
             ? Table::refused("nothing rests on the ground: no contact with a fixed body or with a plane that faces up")
             : table;
}

template <int D>
std::vector<FossilGrain> chosen_layer(const Sample<D>& sample, const Choices& choices) {
  const double slice = choices.slice > 0.0 ? choices.slice : 4.0 * mean_diameter(sample);
  return fossil_layer(sample, choices.born[0], choices.born[1], slice, axis_of<D>(choices));
}

template <int D>
Table fossil_layer_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  for (const FossilGrain& grain : chosen_layer(sample, choices)) {
    RowWriter row(table);
    row.add("body", grain.body);
    row.add("x", grain.x);
    row.add("z", grain.z);
    row.add("birth", grain.birth);
  }
  return table.rows.empty() ? Table::refused("no grain of this window of births lies in the slice") : table;
}

template <int D>
Table fossil_line_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  const LayerLine line =
      layer_line(chosen_layer(sample, choices), choices.width > 0.0 ? choices.width : 2.0 * mean_diameter(sample));
  Table table;
  for (std::size_t k = 0; k < line.x.size(); ++k) {
    RowWriter row(table);
    row.add("x", line.x[k]);
    row.add("height", line.height[k]);
    row.add("spread", line.spread[k]);
    row.add("grains", line.grains[k]);
  }
  return table.rows.empty() ? Table::refused("no grain of this window of births lies in the slice") : table;
}

template <int D>
Table slope_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  const HeapSlope s = heap_slope(sample, axis_of<D>(choices), choices.sectors);
  if (s.sector_angle.empty()) return Table::refused("no flank has three grains in a row, so the heap has no slope to measure");
  Table table;
  RowWriter row(table);
  row.add("angle_degrees", s.angle * degrees);
  row.add("uncertainty_degrees", s.uncertainty * degrees);
  row.add("height", s.height);
  row.add("radius", s.radius);
  row.add("sectors", s.sector_angle.size());
  row.add("tops", s.tops);
  return table;
}

}  // namespace

template <int D>
void add_heap_quantities(std::vector<Quantity<D>>& list) {
  list.push_back(
      {"strips", "force per unit area across conical and cylindrical strips about the axis", Needs::one, false, strip_table<D>});
  list.push_back({"reciprocity", "are the forces across two strips through one point those of a symmetric stress?", Needs::one,
                  false, reciprocity_table<D>});
  list.push_back(
      {"ground-pressure", "pressure on the ground by rings about the axis", Needs::one, false, ground_pressure_table<D>});
  list.push_back(
      {"fossil-layer", "grains born in a window of time, in a slice through the axis", Needs::one, false, fossil_layer_table<D>});
  list.push_back({"fossil-line", "the same as a line: mean height along the slice", Needs::one, false, fossil_line_table<D>});
  list.push_back({"slope", "angle of the free surface of a heap, with its uncertainty", Needs::one, false, slope_table<D>});
}

template void add_heap_quantities(std::vector<Quantity<2>>&);
template void add_heap_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
