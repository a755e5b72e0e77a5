#include "moreau/web/server.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <string_view>
#include <thread>

#include "moreau/store/store_error.hpp"
#include "moreau/web/bounded_server.hpp"
#include "moreau/web/page.hpp"
#include "moreau/web/parcel.hpp"

namespace moreau::web {

namespace {

constexpr std::size_t longest_path = 200;
constexpr const char* loopback = "127.0.0.1";
constexpr std::size_t threads = 64;
constexpr std::chrono::seconds patience{2};  // with the next bytes of a request

// 160 random bits of the system.
std::string new_token() {
  std::random_device random;
  std::string token;
  for (int k = 0; k < 5; ++k) token += fmt::format("{:08x}", static_cast<std::uint32_t>(random()));
  return token;
}

// In a time that does not tell how many letters were right.
bool same(std::string_view given, std::string_view token) {
  unsigned differences = given.size() == token.size() ? 0 : 1;
  for (std::size_t k = 0; k < token.size(); ++k)
    differences |= static_cast<unsigned>(token[k] ^ (k < given.size() ? given[k] : '\0'));
  return differences == 0;
}

std::vector<std::string> words_of(const std::string& path) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    words.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

Answer Library::answer(const std::string& path) {
  const std::vector<std::string> words = words_of(path);
  if (words.size() == 1 && words[0] == "runs") return json_answer(text_of({{"runs", runs_.size()}}));
  if (words.size() < 3 || words[0] != "run" || words[1].size() != 1) return error_answer(404, "there is no such thing here");
  const std::size_t number = static_cast<std::size_t>(words[1][0] - '0');
  if (words[1][0] < '0' || number >= runs_.size()) return error_answer(404, "there is no such run");
  return runs_[number]->answer({words.begin() + 2, words.end()});
}

struct Server::Body {
  Library& library;
  BoundedServer server;
  std::mutex reading;  // HDF5 is used by one thread at a time
  std::string token = new_token();
  int port = 0;
  std::atomic<bool> ended = false;

  explicit Body(Library& l) : library(l) {}

  // A page of a stranger may send its visitors' browsers here under a name of its own (DNS rebinding); the header tells, of which
  // there is one: a second would be for someone else.
  bool is_local(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    return request.get_header_value_count("Host") == 1 && (host == fmt::format("{}:{}", loopback, port) || host == fmt::format("localhost:{}", port));
  }

  Answer answer(const httplib::Request& request) {
    if (!is_local(request)) return error_answer(403, "this server is for this machine only");
    if (request.method != "GET") return error_answer(405, "only GET is understood");
    const std::string& path = request.path;
    const std::size_t slash = path.find('/', 1);
    if (path.empty() || path[0] != '/' || path.size() > longest_path || slash == std::string::npos ||
        !same(std::string_view(path).substr(1, slash - 1), token))
      return error_answer(403, "the address lacks the token with which 'moreau view' was started");
    const std::string rest = path.substr(slash + 1);
    if (rest.empty()) return {200, "text/html; charset=utf-8", page_html()};
    if (rest == "viewer.js") return {200, "text/javascript; charset=utf-8", page_script()};
    const std::lock_guard lock(reading);
    return library.answer(rest);
  }

  void set_up() {
    // Looked at before any pattern or folder of the library is: it serves no files of its own.
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      Answer a = answer(request);
      response.status = a.status;
      response.set_header("Content-Security-Policy", page_policy);
      response.set_header("X-Content-Type-Options", "nosniff");
      response.set_header("Referrer-Policy", "no-referrer");
      response.set_header("Cross-Origin-Resource-Policy", "same-origin");
      response.set_header("Cache-Control", "no-store");
      // By a provider: a body that is set whole would be compressed, which takes seconds and saves nothing on one machine.
      const auto body = std::make_shared<const std::string>(std::move(a.body));
      response.set_content_provider(body->size(), a.type,
                                    [body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                      return offset + length <= body->size() && sink.write(body->data() + offset, length);
                                    });
      return httplib::Server::HandlerResponse::Handled;
    });
    // Not the library's own, which let another process listen on the same port.
    server.set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server.set_payload_max_length(1024);
    // Who opens connections and says nothing is waited for on a thread of the pool: many threads, and not for long.
    server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    server.set_read_timeout(patience);
    server.set_keep_alive_max_count(1000);
    server.set_tcp_nodelay(true);
  }
};

Server::Server(Library& library, int port) : body_(std::make_unique<Body>(library)) {
  body_->set_up();
  if (port == 0)
    body_->port = body_->server.bind_to_any_port(loopback);
  else if (body_->server.bind_to_port(loopback, port))
    body_->port = port;
  if (body_->port <= 0)
    throw StoreError(port == 0 ? fmt::format("no port of {} can be had", loopback)
                               : fmt::format("port {} of {} cannot be had: another program may use it", port, loopback));
}

Server::~Server() = default;

std::string Server::address() const { return fmt::format("http://{}:{}/{}/", loopback, body_->port, body_->token); }

void Server::serve() {
  body_->server.listen_after_bind();
  body_->ended = true;
}

// The library forgets a stop that comes before it listens.
void Server::stop() {
  while (!body_->ended && !body_->server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  body_->server.stop();
}

}  // namespace moreau::web
