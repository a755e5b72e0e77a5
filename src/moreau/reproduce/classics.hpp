// The small classics, one function each: a section of their common page.
#pragma once

#include "moreau/reproduce/report.hpp"
#include "moreau/reproduce/workshop.hpp"

namespace moreau::reproduce {

Section wedged_bar(const Workshop&);
Section painleve_rod(const Workshop&);
Section rocking_block(const Workshop&);
Section superball(const Workshop&);
Section bead_impacts(const Workshop&);
Section bounce_accumulation(const Workshop&);
Section newtons_chain(const Workshop&);
Section sweeping_process(const Workshop&);

}  // namespace moreau::reproduce
