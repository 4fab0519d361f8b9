import type { Gate, GateLimits } from '../deps.ts'

const MINUTE = 60_000

export function createGate(upstream: string, limits: GateLimits): Gate {
  return { upstream, limits, active: 0, closed: false, starts: startsFor(limits), oldest: 0, waiting: 0 }
}

const startsFor = (limits: GateLimits): Float64Array => new Float64Array(limits.perMinute ?? 0)

/** Sets new limits. Calls that began in the last minute still count. */
export function setGateLimits(gate: Gate, limits: GateLimits): void {
  const size = limits.perMinute ?? 0
  if (size !== gate.starts.length) {
    const newest = [...gate.starts].sort((a, b) => b - a).slice(0, size)
    gate.starts = startsFor(limits)
    gate.starts.set(newest.reverse(), size - newest.length)
    gate.oldest = 0
  }
  gate.limits = limits
}

/** Returns true if a call may start now; waiting calls keep their order. */
export function hasRoom(gate: Gate, now: number): boolean {
  return gate.waiting === 0 && hasFreeSlot(gate, now)
}

export function hasFreeSlot(gate: Gate, now: number): boolean {
  const { concurrent } = gate.limits
  if (gate.closed || (concurrent !== undefined && gate.active >= concurrent)) return false
  return gate.starts.length === 0 || now - gate.starts[gate.oldest]! >= MINUTE
}

/** Counts a call that begins. */
export function enterGate(gate: Gate, now: number): void {
  gate.active++
  if (gate.starts.length === 0) return
  gate.starts[gate.oldest] = now
  gate.oldest = (gate.oldest + 1) % gate.starts.length
}
