// What a step returns, as plain read-only values.
#include <fmt/format.h>

#include "moreau/dynamics/report.hpp"
#include "moreau/python/parts.hpp"

namespace moreau::python {

void add_reports(py::module_& m) {
  py::class_<Certificate>(m, "Certificate", "How well a step was solved, measured on the final iterate.")
      .def_readonly("velocity_scale", &Certificate::velocity_scale, "what everything is compared with [velocity]")
      .def_readonly("residual_rms", &Certificate::residual_rms, "residual of the contact law [velocity]")
      .def_readonly("residual_max", &Certificate::residual_max, "the largest [velocity]")
      .def_property_readonly("relative_residual", &Certificate::relative_residual,
                             "residual_rms over the velocity scale: what `solver.tolerance` bounds")
      .def_readonly("unbalanced", &Certificate::unbalanced, "momentum that further sweeps would bring, relative")
      .def_readonly("error", &Certificate::error, "estimated error of the velocities, relative; -1: not looked at in this step")
      .def_readonly("body_error", &Certificate::body_error, "the same of the worst body")
      .def_readonly("worst_body", &Certificate::worst_body, "whose error that is; -1: not looked at, or no error")
      .def_readonly("sweeps", &Certificate::sweeps, "over all contacts")
      .def_readonly("factorisations", &Certificate::factorisations, "of the finishing solver; 0: sweeps sufficed")
      .def_readonly("converged", &Certificate::converged, "whether the step fulfilled its tolerances")
      .def_readonly("unbounded", &Certificate::unbounded, "impulses grow from sweep to sweep")
      .def("__repr__", [](const Certificate& c) {
        return fmt::format("<Certificate: {} in {} sweeps, relative residual {:.2e}, unbalanced {:.2e}, error {}{}>",
                           c.converged ? "converged" : "not converged", c.sweeps, c.relative_residual(), c.unbalanced,
                           c.error < 0.0 ? "not looked at" : fmt::format("{:.2e}", c.error), c.unbounded ? ", unbounded" : "");
      });
  py::class_<EnergyLedger>(m, "EnergyLedger", "Running sums of the energy balance.")
      .def_readonly("kinetic", &EnergyLedger::kinetic, "now")
      .def_readonly("potential", &EnergyLedger::potential, "- m g . x over the free bodies, now")
      .def_readonly("elastic", &EnergyLedger::elastic, "in the springs of contacts that yield, now")
      .def_readonly("initial", &EnergyLedger::initial, "kinetic and potential when the run began")
      .def_readonly("inserted", &EnergyLedger::inserted, "of grains brought by sources")
      .def_readonly("wall_work", &EnergyLedger::wall_work, "done by walls, driven bodies and the cell")
      .def_readonly("gravity_work", &EnergyLedger::gravity_work, "what tilting gravity adds to the potential energy")
      .def_readonly("removed", &EnergyLedger::removed, "of bodies that left through sinks")
      .def_readonly("dissipated", &EnergyLedger::dissipated, "by contacts; negative: created (unequal restitution)")
      .def_property_readonly("error", &EnergyLedger::error, "0 to rounding")
      .def("__repr__", [](const EnergyLedger& e) {
        return fmt::format("<EnergyLedger: kinetic {:.6g}, potential {:.6g}, elastic {:.6g}, dissipated {:.6g}, error {:.1e}>",
                           e.kinetic, e.potential, e.elastic, e.dissipated, e.error());
      });
  py::class_<Timings>(m, "Timings", "Seconds of wall clock, stage by stage.")
      .def_readonly("insert", &Timings::insert, "sources bring grains that are due")
      .def_readonly("predict", &Timings::predict, "positions at the middle of the step")
      .def_readonly("search", &Timings::search, "pairs that are near")
      .def_readonly("detect", &Timings::detect, "contacts")
      .def_readonly("assemble", &Timings::assemble, "the problem of the step")
      .def_readonly("solve", &Timings::solve, "impulses")
      .def_readonly("update", &Timings::update, "positions, energies")
      .def_readonly("certify", &Timings::certify, "contacts written down, penetration")
      .def_property_readonly("total", &Timings::total, "of all stages")
      .def("__repr__", [](const Timings& t) {
        return fmt::format("<Timings: {:.3g} s, of which detect {:.3g}, solve {:.3g}>", t.total(), t.detect, t.solve);
      });
  py::class_<StepReport>(m, "StepReport", "What a step did: how well it was solved, energy, geometry, cost.")
      .def_readonly("step", &StepReport::step, "its number, from 1")
      .def_readonly("time", &StepReport::time, "at the end of the step")
      .def_readonly("bodies", &StepReport::bodies, "without those removed")
      .def_readonly("contacts", &StepReport::contacts, "number of contacts")
      .def_readonly("open", &StepReport::open, "contacts without impulse")
      .def_readonly("stick", &StepReport::stick, "contacts that do not slide")
      .def_readonly("slide", &StepReport::slide, "contacts that slide")
      .def_readonly("joints", &StepReport::joints, "of mortar, intact")
      .def_readonly("recalled", &StepReport::recalled, "contacts that were there in the step before")
      .def_readonly("inserted", &StepReport::inserted, "grains brought by sources in this step")
      .def_readonly("removed", &StepReport::removed, "bodies that left through sinks in this step")
      .def_readonly("max_penetration", &StepReport::max_penetration, "over the diameter of the smaller grain")
      .def_readonly("mean_penetration", &StepReport::mean_penetration, "the same, mean over the contacts; an open gap counts 0")
      .def_readonly(
          "unbalanced_force", &StepReport::unbalanced_force,
          "mean resultant on the free bodies over the mean contact force (or the mean weight, if larger): 0 at equilibrium")
      .def_readonly("max_speed", &StepReport::max_speed, "of the free bodies")
      .def_readonly("shocks", &StepReport::shocks, "number of sequential shocks")
      .def_readonly("certificate", &StepReport::certificate, "how well the step was solved (Certificate)")
      .def_readonly("energy", &StepReport::energy, "running sums of the energy balance (EnergyLedger)")
      .def_readonly("timings", &StepReport::timings, "seconds of wall clock (Timings)")
      .def("__repr__", [](const StepReport& r) {
        return fmt::format("<StepReport step {} time {:.6g}: {} bodies, {} contacts, {} sweeps{}>", r.step, r.time, r.bodies,
                           r.contacts, r.certificate.sweeps, r.certificate.converged ? "" : ", not converged");
      });
}

}  // namespace moreau::python
