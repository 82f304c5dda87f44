# Takes webhook deliveries with Ruby's standard library:
#   PORT=8000 WEBHOOK_SECRET=whsec_… ruby receiver.rb
require "openssl"
require "set"
require "socket"

SECRET = ENV.fetch("WEBHOOK_SECRET")
abort "WEBHOOK_SECRET is empty" if SECRET.empty?
TOLERANCE = 300 # seconds
LIMIT = 1 << 20 # bytes of a body
SEEN, LOCK = Set.new, Mutex.new # in production a table with webhook_id as its key

# genuine? verifies X-Service-Signature over the raw body.
def genuine?(header, body)
  t, v1 = header.to_s.match(/\At=([0-9]{1,12}),v1=([0-9a-f]{64})\z/)&.captures
  return false if t.nil? || (Time.now.to_i - t.to_i).abs > TOLERANCE
  want = OpenSSL::HMAC.hexdigest("SHA256", SECRET, "#{t}.".b + body)
  OpenSSL.fixed_length_secure_compare(want, v1) # in constant time
end

# raw reads a request, its body before anything parses it. In Rails: request.raw_post
def raw(socket)
  socket.gets("\n", 8192)
  headers = {}
  while (line = socket.gets("\r\n", 8192, chomp: true)) && !line.empty? && headers.size < 100
    name, value = line.split(":", 2)
    headers[name.downcase] = value.to_s.strip
  end
  length = headers["content-length"].to_i
  [headers, length.between?(1, LIMIT) ? socket.read(length).to_s : ""]
end

def handle(id, body)
  warn "handled #{id} #{body.bytesize} bytes"
end

def receive(socket)
  headers, body = raw(socket)
  right = genuine?(headers["x-service-signature"], body)
  socket.write "HTTP/1.1 #{right ? '200 OK' : '400 Bad Request'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
  socket.close # the answer does not wait for the work
  id = headers["webhook-id"] # the same in every repeat
  handle(id, body) if right && LOCK.synchronize { SEEN.add?(id) }
rescue SystemCallError, IOError
  nil # the sender has hung up
ensure
  socket.close
end

TCPServer.open("127.0.0.1", ENV.fetch("PORT").to_i) do |server|
  loop { Thread.new(server.accept) { |socket| receive(socket) } }
end
