"""Numbers that stand both in the code and on a page: whoever changes one must change the other.

Each entry: a file of the code and an expression whose groups are its numbers, a page and an expression whose groups are the same
numbers in the same order. Numbers are compared as values (1e-3 and 0.001 are the same; a page may spell small ones in words).
`--self-test` checks that a drift of either side is noticed.
"""
import pathlib
import re
import sys

WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10, "half": 0.5, "third": 1 / 3,
         "quarter": 0.25, "fifth": 0.2, "sixth": 1 / 6, "tenth": 0.1, "percent": 0.01, "tenth step": 10}

PAIRS = [
    # defaults of the solver
    ("src/moreau/solver/settings.hpp", r"double tolerance = ([\d.e-]+);", "docs/scene-format.md", r"\| `tolerance` \| number \| ([\d.e-]+) \|"),
    ("src/moreau/solver/settings.hpp", r"double unbalanced_tolerance = ([\d.e-]+);", "docs/scene-format.md",
     r"\| `unbalanced_tolerance` \| number \| ([\d.e-]+) \|"),
    ("src/moreau/solver/settings.hpp", r"int max_sweeps = (\d+);", "docs/scene-format.md", r"\| `max_sweeps` \| integer \| (\d+) \|"),
    # sweeps
    ("src/moreau/solver/gauss_seidel.cpp", r"std::max\(2, c\.sweeps / (\d+)\)", "docs/theory.md", r"\(each a (\w+) later than the one before"),
    ("src/moreau/solver/gauss_seidel.cpp", r"refresh_period = (\d+), few_sweeps = (\d+)", "docs/theory.md",
     r"\*\*Refresh\.\*\* At the start, every (\d+) sweeps and at the end, unless that is less than (\d+) sweeps ago"),
    ("src/moreau/solver/gauss_seidel.cpp", r"residual > ([\d.]+) \* mark\.residual[^;]*;\s+if \(impulse_sum > ([\d.]+) \* mark\.impulse_sum", "docs/theory.md",
     r"if the residual is more than ([\d.]+) times what it was at some earlier mark and\s+the sum of h_N P_N either is more than ([\d.]+) times"),
    ("src/moreau/solver/colouring.hpp", r"most = (\d+);", "docs/architecture.md", r"in the solver's memory; (\d+) colours"),
    # certificate
    ("src/moreau/solver/error_estimate.cpp", r"unequal_masses = ([\d.]+);\s+constexpr int longer = (\d+);", "docs/theory.md",
     r"masses differ by more than (\d+), Craig's method makes (\w+) times as many steps"),
    ("src/moreau/solver/completion.cpp", r"craig_steps = (\d+);", "docs/theory.md", r"by (\d+) steps of Craig's method"),
    ("src/moreau/solver/gauss_seidel.cpp", r"rounding_of_speed = ([\d.e-]+);\s+constexpr double least_share_of_speed = ([\d.e-]+);", "docs/theory.md",
     r"a residual up to ([\d.e-]+) of their speed is rounding there(?:.|\n)*?nothing less than ([\d.e-]+) of it is a scale"),
    ("src/moreau/solver/gauss_seidel.cpp", r"wrong_error = ([\d.]+);", "docs/theory.md", r"whose `error` is above ([\d.]+) in the end is not"),
    ("src/moreau/solver/gauss_seidel.cpp", r"enough_sweeps = (\d+);", "docs/theory.md", r"whenever a third more sweeps are made, up to (\d+) sweeps"),
    ("src/moreau/solver/completion.hpp", r"good_body_error = ([\d.e-]+);", "docs/theory.md", r"may be wrong by more than ([\d.e-]+) of the velocity scale \(by power alone"),
    ("src/moreau/solver/gauss_seidel.cpp", r"asking_looks = (\d+);", "docs/theory.md", r"the first (\w+) looks ask for more sweeps"),
    ("src/moreau/dynamics/formal_shift.hpp", r"slack_of_fall = ([\d.e-]+);\s+inline constexpr double slack_of_radius = ([\d.e-]+);", "docs/theory.md",
     r"A \*gap\* up to max\(([\d.e-]+) h²\|gravity\|, ([\d.e-]+) mean radius\)"),
    ("src/moreau/solver/completion.cpp", r"usual_packing_factorisations = (\d+),", "docs/theory.md", r"to the tolerance, if (\d+) factorisations, which they usually take"),
    ("src/moreau/solver/structures.hpp", r"frictionless_contacts = (\d+);", "docs/theory.md", r"at most (\d+) contacts none of which has friction"),
    ("src/moreau/solver/structures.cpp", r"large_mass_ratio = ([\d.]+), large_heaviness = ([\d.]+);", "docs/theory.md",
     r"a mass ratio above (\d+)\s+among the bodies that touch, and a heaviness (?:[^\n]*?) above (\d+), how many"),
    ("src/moreau/solver/structures.cpp", r"chain_contacts = (\d+);", "docs/theory.md", r"chains and columns: at most (\d+) contacts"),
    ("src/moreau/solver/structures.cpp", r"< ([\d.]+) \* static_cast<double>\(touched\.count\)", "docs/theory.md", r"fewer than ([\d.]+) for each\s+body"),
    ("src/moreau/solver/structures.hpp", r"contacts_told_apart = (\d+);", "docs/theory.md", r"that is no structure, of at most (\d+) contacts"),
    ("src/moreau/solver/structures.cpp", r"rubble_contacts = (\d+);", "docs/theory.md", r"and with more than (\d+) contacts more than half of them in pairs"),
    ("src/moreau/engines/rigid/accounts.cpp", r"joint_motion = ([\d.]+), joint_rounding = ([\d.e-]+);", "docs/laws.md",
     r"(\w+) times the largest law residual, and ([\d.e-]+) of the velocity scale"),
    ("src/moreau/solver/gauss_seidel.cpp", r"settled_contacts = (\d+);", "docs/theory.md", r"the structure has at most (\d+) contacts"),
    ("src/moreau/solver/completion.cpp", r"settling_factorisations = (\d+);", "docs/theory.md", r"without a sweep, by at most (\d+) factorisations"),
    ("src/moreau/engines/rigid/periods.hpp", r" look_period = (\d+), rare_look_period = (\d+);", "docs/theory.md",
     r"in other scenes in every (\d+)th step, with \d+ contacts or more in every (\d+)th"),
    ("src/moreau/engines/rigid/periods.hpp", r"many_contacts = (\d+);", "docs/theory.md", r"th step, with (\d+) contacts or more in every"),
    ("src/moreau/solver/error_estimate.cpp", r"of_violation = ([\d.]+);", "docs/theory.md", r"contacts / m_b\), (\d+) x violation"),
    # contacts
    ("src/moreau/engines/rigid/look_ahead.hpp", r"tolerated_overlap = ([\d.e-]+);", "docs/theory.md",
     r"next midpoint by more than ([\d.]+) of the smallest\s+diameter"),
    ("src/moreau/scene/read/read_scene.cpp", r"block_contact_distance = ([\d.e-]+);", "docs/scene-format.md",
     r"The second is ([\d.e-]+) of the smallest block's reach"),
    ("src/moreau/engines/rigid/look_ahead.hpp", r"predictive_steps = ([\d.]+);\s+inline constexpr double predictive_distance = ([\d.e-]+);", "docs/theory.md",
     r"\| effective iff \| g <= d \| g <= max\(d, (?:[\d.]+) mean radius\) \+ (\d+)h[^\n]*\n(?:.|\n)*?neither near \(([\d.]+) mean radius\)"),
    ("src/moreau/dynamics/formal_shift.hpp", r"overlap_recovery = ([\d.]+);", "docs/theory.md", r"is taken back by a (\w+) in every step"),
    ("src/moreau/dynamics/formal_shift.hpp", r"slack_of_fall = ([\d.e-]+);\s+inline constexpr double slack_of_radius = ([\d.e-]+);", "docs/theory.md",
     r"\*\*Slack\.\*\* An overlap up to max\(([\d.e-]+) h²\|gravity\|, ([\d.e-]+) mean radius\)"),
    ("src/moreau/engines/rigid/periods.hpp", r"reorder_period = (\d+);", "docs/architecture.md", r"renewed every (\d+) steps"),
    ("src/moreau/engines/rigid/rigid_engine.cpp", r"fewest_for_team = (\d+);", "docs/architecture.md", r"During a step of (\d+) bodies"),
    ("src/moreau/measure/quantities_of_contacts.cpp", r"rounding_of_forces = ([\d.e-]+);", "docs/measures.md", r"below ([\d.e-]+) of the normal are"),
    ("src/moreau/engines/rigid/shocks.cpp", r"most_rounds = (\d+);", "docs/laws.md", r"not ended after (\d+) rounds"),
    # limits of scenes
    ("src/moreau/scene/scene.hpp", r"grains = (\d+)'000'000;", "docs/scene-format.md", r"those to come from sources included \| (\d+) million"),
    ("src/moreau/scene/scene.hpp", r"bytes = (\d+)ull << 20;", "docs/scene-format.md", r"size of the file \| (\d+) MiB"),
    ("src/moreau/scene/read/read_model.hpp", r"most_steps = ([\d.e]+);", "docs/scene-format.md", r"\| steps \| ([\d.e]+) \|"),
    ("src/moreau/scene/read/read_materials.cpp", r"most_materials = (\d+);", "docs/scene-format.md", r"\| materials \| (\d+) \|"),
    ("src/moreau/scene/read/toml_guard.cpp", r"deepest_key = (\d+);", "docs/scene-format.md", r"parts of a dotted key \| (\d+) \|"),
    ("src/moreau/course/near_rest.hpp", r"quiet = ([\d.e-]+);", "docs/statics.md", r"\| kinetic energy / W \| ([\d.e-]+) \|"),
    ("src/moreau/course/near_rest.hpp", r"farthest = ([\d.]+),", "docs/statics.md", r"of a piston / d \| ([\d.]+) \|"),
    ("src/moreau/course/near_rest.hpp", r"descent = ([\d.]+),", "docs/statics.md", r"mean descent, in diameters\) \| ([\d.]+) \|"),
    ("src/moreau/course/phases.cpp", r"balance_period = (\d+);", "docs/scene-format.md", r"are looked at every (tenth step|\d+)"),
    # warnings
    ("src/moreau/dynamics/warning.hpp",
     r"penetration_warned = ([\d.]+);[^\n]*\n[^\n]*travel_warned = ([\d.]+);[^\n]*\n[^\n]*friction_warned = ([\d.]+);", "docs/run-folder.md",
     r"\| `penetration` \|[^\n]*above ([\d.]+) of the breadth(?:.|\n)*?\| `travel` \|[^\n]*above ([\d.]+) radius(?:.|\n)*?\| `friction` \|[^\n]*above ([\d.]+)"),
    ("src/moreau/course/step_watch.cpp", r"share_of_lifting = ([\d.]+), share_of_turnover = ([\d.]+);", "docs/run-folder.md",
     r"\| `energy` \|[^\n]*?([\d.]+) of what lifts[^\n]*?([\d.]+) of what"),
    ("src/moreau/cli/command.hpp", r"exit_warned = (\d+),", "docs/run-folder.md", r"`--strict`[^\n]*status (\d+)"),
    # formats
    ("src/moreau/store/checkpoint_file.cpp", r"checkpoint_format = (\d+),", "docs/run-folder.md", r"`checkpoint_format` \((\d+),"),
    ("src/moreau/store/frame_file.cpp", r"frame_format = (\d+)", "docs/run-folder.md", r"`frame_format` \((\d+);"),
    ("src/moreau/scene/record/svg_lines.hpp", r"chords_per_curve = (\d+)", "docs/meshes.md", r"curves become (\d+) chords"),
    ("src/moreau/scene/record/svg_lines.hpp", r"chords_per_arc_turn = (\d+)", "docs/meshes.md", r"arcs (\d+) to a turn"),
    ("src/moreau/store/hdf5_group.cpp", r"effort = (\d+);", "docs/run-folder.md", r"gzip (\d+)\)"),
]


def value(text):
    """Of a number, or of the word for one."""
    return WORDS[text] if text in WORDS else float(text)


def same(code, page):
    a, b = value(code), value(page)
    return abs(a - b) <= 1e-9 * abs(a) or abs(1 / a - b) <= 1e-9 * abs(b)  # x / 6 in the code is a sixth on the page


def groups(text, expression):
    found = re.search(expression, text)
    return found.groups() if found else None


def fault(pair, read):
    file, in_code, page, on_page = pair
    code, words = groups(read(file), in_code), groups(read(page), on_page)
    if code is None:
        return f"{file}: nothing matches {in_code}"
    if words is None:
        return f"{page}: nothing matches {on_page}"
    if len(code) != len(words) or not all(map(same, code, words)):
        return f"{file} has {', '.join(code)} where {page} says {', '.join(words)}"
    return None


def reader(root):
    return lambda name: (root / name).read_text()


def check(root):
    faults = [f for f in (fault(pair, reader(root)) for pair in PAIRS) if f]
    for sentence in faults:
        print(sentence)
    return 1 if faults else 0


def self_test(root):
    """Every number of every pair, changed on one side alone, must be noticed."""
    read = reader(root)
    missed = []
    for pair in PAIRS:
        for name, expression in (pair[:2], pair[2:]):
            text = read(name)
            found = re.search(expression, text)
            if not found:
                missed.append(f"{name}: nothing matches {expression}")
                continue
            for group in range(1, found.re.groups + 1):
                begin, end = found.span(group)
                drifted = text[:begin] + "7" + text[end:]
                if fault(pair, lambda n: drifted if n == name else read(n)) is None:
                    missed.append(f"{name}: '{found[group]}' became 7 and nothing was said")
    for sentence in missed:
        print(sentence)
    return 1 if missed else 0


if __name__ == "__main__":
    where = pathlib.Path(sys.argv[1])
    sys.exit(self_test(where) if "--self-test" in sys.argv else check(where))
