// What a script may change between two steps besides the bodies: gravity, laws, pistons; impulses of contacts.
#pragma once

#include "moreau/python/held.hpp"

namespace moreau::python {

void add_course_changes(py::class_<HeldCourse, std::shared_ptr<HeldCourse>>& course);
void add_course_contacts(py::class_<HeldCourse, std::shared_ptr<HeldCourse>>& course);

}  // namespace moreau::python
