-- The two-condition limiter in one round trip. It says what state.go says.
--
-- KEYS[1] is the subject. ARGV: sustained and burst in requests a minute, the cost (0 only
-- looks). Answers {admitted 0 or 1, requests counted, reset in Unix seconds, seconds to wait}.
--
-- The key holds one string: a head of eight doubles, then a ring of the admissions of the
-- last 60 s in microseconds. All are integers below 2^53, so exact. Where the clock of Redis
-- steps back no time has passed: skew, added to every later reading, keeps moments in order.
local MINUTE = 60000000 -- microseconds, and the parts of one token
local SECOND = 1000000
local SLOT, HEAD, FORM = 8, 64, '<dddddddd'

local key = KEYS[1]
local sustained, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local wall = time[1] * SECOND + time[2]

local old_sustained, old_burst, at, debt = sustained, burst, wall, 0
local skew, first, count, room = 0, 0, 0, 0
local head = redis.call('GETRANGE', key, 0, HEAD - 1)
local known = #head == HEAD
if known then
  old_sustained, old_burst, at, debt, skew, first, count, room = struct.unpack(FORM, head)
end

-- the i-th oldest admission, from 0
local function admission(i)
  local from = HEAD + (first + i) % room * SLOT
  return (struct.unpack('<d', redis.call('GETRANGE', key, from, from + SLOT - 1)))
end

-- how many of the oldest have left the window: by steps that double, then halve
local function gone(until_)
  local n, step = 0, 1
  while n + step <= count and admission(n + step - 1) <= until_ do
    n, step = n + step, step * 2
  end
  while step >= 1 do
    if n + step <= count and admission(n + step - 1) <= until_ then
      n = n + step
    end
    step = step / 2
  end
  return n
end

-- writes an admission into slots from..from+times-1, which do not wrap
local function write(from, times, moment)
  if times > 0 then
    redis.call('SETRANGE', key, HEAD + from * SLOT, string.rep(struct.pack('<d', moment), times))
  end
end

-- lays the ring out anew, oldest first, with twice the room
local function grow(need)
  if need <= room then
    return
  end
  if count > 0 then
    local ring = redis.call('GETRANGE', key, HEAD, HEAD + room * SLOT - 1)
    local cut = first * SLOT
    ring = string.sub(ring, cut + 1) .. string.sub(ring, 1, cut)
    redis.call('SETRANGE', key, HEAD, string.sub(ring, 1, count * SLOT))
  end
  first, room = 0, math.max(16, need, 2 * room)
end

local function push(moment, times)
  grow(count + times)
  local from = (first + count) % room
  local straight = math.min(times, room - from)
  write(from, straight, moment)
  write(0, times - straight, moment)
  count = count + times
end

-- let time pass
local now = wall + skew
local stepped = now < at
if stepped then
  skew, now = skew + at - now, at
end
debt = math.max(0, debt - (now - at) * old_sustained)
local left = gone(now - MINUTE)
if left > 0 then
  first, count = (first + left) % room, count - left
end
if burst < old_burst then
  debt = math.max(0, debt - (old_burst - burst) * MINUTE)
end

-- the two conditions
local need, wait = math.min(math.max(cost, 1), burst), 0
local over = count + need - burst
if over > 0 then
  wait = admission(over - 1) + MINUTE - now
end
local lack = debt + (need - burst) * MINUTE
if lack > 0 then
  wait = math.max(wait, math.ceil(lack / sustained))
end
local admitted = wait == 0 and cost <= burst

-- a throttled request writes only what it learnt: another limit, a clock that stepped back
local changed = known and (stepped or sustained ~= old_sustained or burst ~= old_burst)
if cost > 0 and (admitted or changed) then
  if admitted then
    push(now, cost)
    debt = debt + cost * MINUTE
  end
  redis.call('SETRANGE', key, 0, struct.pack(FORM, sustained, burst, now, debt, skew, first, count, room))
  redis.call('PEXPIRE', key, math.ceil(math.max(MINUTE, debt / sustained) / 1000) + 1000)
end

local reset, retry = now, 0
if count > 0 then
  reset = admission(0) + MINUTE
end
if not admitted then
  retry = math.max(1, math.ceil(wait / SECOND))
end
return {admitted and 1 or 0, count, math.ceil((reset - skew) / SECOND), retry}
