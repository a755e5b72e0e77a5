#include "moreau/fclib/step_file.hpp"

#include <fmt/format.h>

#include "moreau/store/disk.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::fclib {
namespace {

void write_vector(hdf5::Group& group, const std::string& name, const Eigen::VectorXd& values) {
  group.write(name, std::vector<double>(values.begin(), values.end()));
}

}  // namespace

void write_step(const std::filesystem::path& path, const StepProblem& step, const std::vector<std::string>& walls, Form form) {
  const auto reduced = reduce(step.form);
  if (!reduced) throw StoreError(fmt::format("{}: a body has no mass, so that the problem cannot be written", path.string()));
  Problem problem;
  problem.title = fmt::format("step {} of a run, t = {:.9g}", step.step, step.time);
  problem.description = fmt::format("{} contacts, {} free bodies", step.form.friction.size(), step.body.size());
  problem.math_info = "u is the formal velocity: restitution, moving walls and closing gaps are in q (w of the global form)";
  if (form == Form::global)
    problem.form = step.form;
  else
    problem.form = MixedProblem{step.form.dimension, column_major(reduced->local.delassus), {}, {}, reduced->local.free, {},
                                step.form.friction};

  hdf5::Writer file(path);
  {
    hdf5::Group& root = file.root();
    put_problem(root, problem, Storage::columns);
    hdf5::Group guesses = root.create("guesses");
    guesses.write("number_of_guesses", std::vector<std::int32_t>{1});
    hdf5::Group guess = guesses.create("1"), solution = root.create("solution");
    write_vector(guess, "r", step.recalled), write_vector(guess, "u", reduced->local.velocity(step.recalled));
    write_vector(solution, "r", step.solved), write_vector(solution, "u", reduced->local.velocity(step.solved));
    if (form == Form::global)
      write_vector(guess, "v", reduced->rest(step.recalled).global_velocity), write_vector(solution, "v", step.velocity);
    hdf5::Group own = root.create("moreau");
    own.write("bodies", step.bodies);
    own.write("free_bodies", step.body);
    if (!walls.empty()) own.write("walls", walls);
    own.write("step", std::vector<std::uint64_t>{step.step});
    own.write("time", std::vector<double>{step.time});
  }
  write_whole(path, file.finish(), Sync::now);
}

std::optional<ContactNames> read_contact_names(const std::filesystem::path& path) {
  const hdf5::Reader file(path);
  if (!file.root().has("moreau")) return {};
  const hdf5::Group own = file.root().open("moreau");
  ContactNames names;
  own.read("bodies", names.bodies);
  if (own.has("walls")) own.read("walls", names.walls);
  return names;
}

std::optional<Eigen::VectorXd> read_guess(const std::filesystem::path& path) {
  const hdf5::Reader file(path);
  if (!file.root().has("guesses")) return {};
  const hdf5::Group guesses = file.root().open("guesses");
  if (!guesses.has("1")) return {};
  const hdf5::Group guess = guesses.open("1");
  if (!guess.has("r")) return {};
  std::vector<double> r;
  guess.read("r", r);
  return Eigen::Map<const Eigen::VectorXd>(r.data(), static_cast<Eigen::Index>(r.size()));
}

}  // namespace moreau::fclib
