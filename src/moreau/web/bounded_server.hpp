// The HTTP server of cpp-httplib with bounds on what a request may be. The library (0.11) keeps lines of any length and any number of
// headers, waits for each byte anew, and takes the ranges of a request (header `Range`) for true, whatever the length of the answer: it
// then sends memory that lies behind it.
#pragma once

#include <httplib.h>

namespace moreau::web {

class BoundedServer : public httplib::Server {
  // One connection, request after request, and its end.
  bool process_and_close_socket(socket_t socket) override;
};

}  // namespace moreau::web
