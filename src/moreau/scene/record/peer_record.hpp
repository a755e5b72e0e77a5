// Records of the PEER data base (.AT2): four lines of words, the last with the number of points and their interval ("NPTS= 4000,
// DT= .0050 SEC", or "4000 .0050 NPTS, DT"), then accelerations, mostly five on a line, mostly in units of g.
#pragma once

#include <string>
#include <vector>

namespace moreau::inline scene {

struct PeerRecord {
  double interval = 0.0;
  std::vector<double> accelerations;
};

// Throws SurveyError (survey/stone_outlines.hpp) with what is wrong: "line 4 ...".
PeerRecord read_peer_record(const std::string& text);

}  // namespace moreau::inline scene
