// Failures that only Python has a name for.
#pragma once

#include <stdexcept>

namespace moreau::python {

// A course cannot go on; the sentence is Course::why().
struct CourseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct NotConverged : CourseError {
  using CourseError::CourseError;
};
struct NotFinite : CourseError {
  using CourseError::CourseError;
};
struct CellCollapsed : CourseError {
  using CourseError::CourseError;
};

// Another thread steps the course.
struct CourseBusy : CourseError {
  using CourseError::CourseError;
};

// The bodies are no longer those that an array looks at.
struct StaleView : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace moreau::python
