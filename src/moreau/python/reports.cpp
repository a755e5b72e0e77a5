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
      .def_property_readonly("relative_residual", &Certificate::relative_residual)
      .def_readonly("unbalanced", &Certificate::unbalanced, "momentum that further sweeps would bring, relative")
      .def_readonly("error", &Certificate::error, "estimated error of the velocities, relative; -1: not looked at in this step")
      .def_readonly("body_error", &Certificate::body_error, "the same of the worst body")
      .def_readonly("worst_body", &Certificate::worst_body)
      .def_readonly("sweeps", &Certificate::sweeps)
      .def_readonly("factorisations", &Certificate::factorisations)
      .def_readonly("converged", &Certificate::converged)
      .def_readonly("unbounded", &Certificate::unbounded, "impulses grow from sweep to sweep")
      .def("__repr__", [](const Certificate& c) {
        return fmt::format("<Certificate: {} in {} sweeps, relative residual {:.2e}, unbalanced {:.2e}, error {}{}>",
                           c.converged ? "converged" : "not converged", c.sweeps, c.relative_residual(), c.unbalanced,
                           c.error < 0.0 ? "not looked at" : fmt::format("{:.2e}", c.error), c.unbounded ? ", unbounded" : "");
      });
  py::class_<EnergyLedger>(m, "EnergyLedger", "Running sums of the energy balance.")
      .def_readonly("kinetic", &EnergyLedger::kinetic)
      .def_readonly("potential", &EnergyLedger::potential)
      .def_readonly("elastic", &EnergyLedger::elastic)
      .def_readonly("initial", &EnergyLedger::initial)
      .def_readonly("inserted", &EnergyLedger::inserted)
      .def_readonly("wall_work", &EnergyLedger::wall_work)
      .def_readonly("gravity_work", &EnergyLedger::gravity_work)
      .def_readonly("removed", &EnergyLedger::removed)
      .def_readonly("dissipated", &EnergyLedger::dissipated)
      .def_property_readonly("error", &EnergyLedger::error, "0 to rounding")
      .def("__repr__", [](const EnergyLedger& e) {
        return fmt::format("<EnergyLedger: kinetic {:.6g}, potential {:.6g}, elastic {:.6g}, dissipated {:.6g}, error {:.1e}>",
                           e.kinetic, e.potential, e.elastic, e.dissipated, e.error());
      });
  py::class_<Timings>(m, "Timings", "Seconds of wall clock, stage by stage.")
      .def_readonly("insert", &Timings::insert)
      .def_readonly("predict", &Timings::predict)
      .def_readonly("search", &Timings::search)
      .def_readonly("detect", &Timings::detect)
      .def_readonly("assemble", &Timings::assemble)
      .def_readonly("solve", &Timings::solve)
      .def_readonly("update", &Timings::update)
      .def_readonly("certify", &Timings::certify)
      .def_property_readonly("total", &Timings::total)
      .def("__repr__", [](const Timings& t) {
        return fmt::format("<Timings: {:.3g} s, of which detect {:.3g}, solve {:.3g}>", t.total(), t.detect, t.solve);
      });
  py::class_<StepReport>(m, "StepReport", "What a step did: how well it was solved, energy, geometry, cost.")
      .def_readonly("step", &StepReport::step)
      .def_readonly("time", &StepReport::time, "at the end of the step")
      .def_readonly("bodies", &StepReport::bodies)
      .def_readonly("contacts", &StepReport::contacts)
      .def_readonly("open", &StepReport::open)
      .def_readonly("stick", &StepReport::stick)
      .def_readonly("slide", &StepReport::slide)
      .def_readonly("joints", &StepReport::joints)
      .def_readonly("recalled", &StepReport::recalled)
      .def_readonly("inserted", &StepReport::inserted)
      .def_readonly("removed", &StepReport::removed)
      .def_readonly("max_penetration", &StepReport::max_penetration, "over the diameter of the smaller grain")
      .def_readonly("mean_penetration", &StepReport::mean_penetration)
      .def_readonly("unbalanced_force", &StepReport::unbalanced_force)
      .def_readonly("max_speed", &StepReport::max_speed)
      .def_readonly("shocks", &StepReport::shocks)
      .def_readonly("certificate", &StepReport::certificate)
      .def_readonly("energy", &StepReport::energy)
      .def_readonly("timings", &StepReport::timings)
      .def("__repr__", [](const StepReport& r) {
        return fmt::format("<StepReport step {} time {:.6g}: {} bodies, {} contacts, {} sweeps{}>", r.step, r.time, r.bodies,
                           r.contacts, r.certificate.sweeps, r.certificate.converged ? "" : ", not converged");
      });
}

}  // namespace moreau::python
