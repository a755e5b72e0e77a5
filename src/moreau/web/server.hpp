// The local server behind `moreau view`: on the loopback interface only, under an address that holds a secret token. Whoever does
// not know the token learns nothing; whoever does can read the runs that were named on the command line, and write nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "moreau/web/run_source.hpp"

namespace moreau::web {

// The runs side by side, first word of the path: the number of the run.
class Library {
 public:
  explicit Library(std::vector<std::unique_ptr<RunSource>> runs) : runs_(std::move(runs)) {}
  Answer answer(const std::string& path);  // "run/0/frame/12", "runs"; without the token. One thread at a time.
  std::vector<std::unique_ptr<RunSource>>& runs() { return runs_; }

 private:
  std::vector<std::unique_ptr<RunSource>> runs_;
};

class Server {
 public:
  // Takes a port: the one asked for, or any that is free for 0. StoreError if it cannot be had.
  Server(Library& library, int port);
  ~Server();
  std::string address() const;  // with the token
  void serve();                 // until stop(), which another thread may call
  void stop();

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace moreau::web
