#include "moreau/web/bounded_server.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

namespace moreau::web {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_request = 16 << 10;       // bytes, its headers and its body
constexpr std::chrono::seconds longest_asking{10};      // from its first byte to its last
constexpr std::chrono::milliseconds look_around{50};    // for the next request, or the end of the server

// What has happened to a socket within a time: whether it can be read (or written) without waiting.
bool ready(socket_t socket, short event, std::chrono::milliseconds wait) {
  pollfd asked{socket, event, 0};
  return ::poll(&asked, 1, static_cast<int>(std::max<std::int64_t>(0, wait.count()))) > 0 && (asked.revents & event) != 0;
}

// A connection as the library wants it. Reading ends where a request is too long or takes too long.
class Connection : public httplib::Stream {
 public:
  Connection(socket_t socket, std::chrono::milliseconds patience) : socket_(socket), patience_(patience) {}

  void next_request() {
    taken_ = 0;
    deadline_ = Clock::now() + longest_asking;
  }
  bool holds_more() const { return begin_ < end_; }
  bool too_long() const { return taken_ > longest_request; }

  bool is_readable() const override { return holds_more() || ready(socket_, POLLIN, patience_); }
  bool is_writable() const override { return ready(socket_, POLLOUT, patience_); }

  ssize_t read(char* to, std::size_t size) override {
    if (begin_ == end_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
      if (too_long() || left.count() <= 0 || !ready(socket_, POLLIN, std::min(patience_, left))) return -1;
      const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
      if (got <= 0) return got;
      begin_ = 0;
      end_ = static_cast<std::size_t>(got);
    }
    const std::size_t count = std::min(size, end_ - begin_);
    std::memcpy(to, buffer_.data() + begin_, count);
    begin_ += count;
    taken_ += count;
    return too_long() ? -1 : static_cast<ssize_t>(count);
  }

  ssize_t write(const char* from, std::size_t size) override {
    if (!is_writable()) return -1;
    return ::send(socket_, from, size, MSG_NOSIGNAL);
  }

  // The server is on the loopback interface, and nothing of ours asks who is at the other end.
  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  socket_t socket() const override { return socket_; }

 private:
  socket_t socket_;
  std::chrono::milliseconds patience_;
  std::array<char, 4096> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t taken_ = 0;
  Clock::time_point deadline_;
};

}  // namespace

bool BoundedServer::process_and_close_socket(socket_t socket) {
  Connection connection(socket, std::chrono::seconds(read_timeout_sec_));
  for (std::size_t left = keep_alive_max_count_; left > 0; --left) {
    const Clock::time_point idle_until = Clock::now() + std::chrono::seconds(keep_alive_timeout_sec_);
    bool asked = connection.holds_more();
    while (!asked && svr_sock_ != INVALID_SOCKET && Clock::now() < idle_until) asked = ready(socket, POLLIN, look_around);
    if (!asked) break;
    connection.next_request();
    bool closed = false;
    // Parts of an answer are not for us: every answer is sent whole.
    const bool done = process_request(connection, left == 1, closed, [](httplib::Request& request) { request.ranges.clear(); });
    if (connection.too_long()) {
      constexpr std::string_view answer = "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
      connection.write(answer.data(), answer.size());
    }
    if (!done || closed || connection.too_long()) break;
  }
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
  return true;
}

}  // namespace moreau::web
