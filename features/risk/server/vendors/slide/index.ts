import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto'
import type { CaptchaVendor } from '../port.ts'
import { drawPuzzle, HEIGHT, PIECE, WIDTH } from './draw.ts'

/** Milliseconds since the start, pixels from the left. */
type Trail = readonly (readonly [number, number])[]

const MIN_MS = 200
const MIN_STEPS = 4

/**
 * Checks that the piece was moved as by a pointer or a keyboard: time increases, it takes a while and several
 * steps, ends at the given position, and is not a perfectly even line. A weak signal, backed by rate limits.
 */
function isHumanTrail(trail: Trail, x: number): boolean {
  const last = trail.at(-1)
  const begin = trail[0]
  if (!last || !begin || trail.length < MIN_STEPS) return false
  if (last[0] - begin[0] < MIN_MS || Math.abs(last[1] - x) > 2 || Math.abs(begin[1]) > 10) return false
  const steps = trail.slice(1).map(([at, where], index) => [at - trail[index]![0], where - trail[index]![1]] as const)
  if (steps.some(([ms]) => ms < 0)) return false
  const even = (pick: 0 | 1) => steps.every((step) => Math.abs(step[pick] - steps[0]![pick]) < 0.01)
  return !(even(0) && even(1))
}

/** Seconds within which the proof of a solved puzzle must be used. */
const PROOF_SECONDS = 120
const EDGE = 8

/** Our own puzzle: a drawn picture with a hole, and the piece that fits. The position of the hole never leaves the server. */
export const slide: CaptchaVendor = {
  id: 'slide',
  offered: () => true,
  open: ({ clock, keys, store, rules }) => ({
    challenge: async (scene) => {
      const id = randomBytes(16).toString('base64url')
      // Right of the piece's start, so that it must be moved.
      const left = randomInt(PIECE + 2 * EDGE, WIDTH - PIECE - EDGE + 1)
      const top = randomInt(EDGE, HEIGHT - PIECE - EDGE + 1)
      const { picture, piece } = await drawPuzzle(left, top)
      await store.keepPuzzle({ id, scene, answer: seal(keys[0]!, id, left), until: new Date(clock.now().getTime() + rules.liveSeconds * 1000) })
      return { kind: 'slide', id, width: WIDTH, height: HEIGHT, pieceSize: PIECE, pieceTop: top, picture, piece, expiresInSeconds: rules.liveSeconds }
    },
    put: async (id, x, trail) => {
      const now = clock.now()
      const tried = await store.tryPuzzle(id, now, rules.tries)
      if (!tried) return { proof: undefined, triesLeft: 0 }
      const fits = Math.abs(unseal(keys, id, tried.answer) - x) <= rules.tolerance && isHumanTrail(trail, x)
      const proof = randomBytes(24).toString('base64url')
      const passed = fits && (await store.passPuzzle(id, proof, new Date(now.getTime() + PROOF_SECONDS * 1000)))
      return passed ? { proof, triesLeft: tried.triesLeft } : { proof: undefined, triesLeft: tried.triesLeft }
    },
    verify: async (scene, proof) => ((await store.spendPuzzle(scene, proof, clock.now())) ? 'good' : 'wrong'),
  }),
}

/** Encrypts the position with AES-256-GCM, bound to the puzzle's id: 12 bytes nonce, 16 bytes tag, the number. */
function seal(key: Buffer, id: string, left: number): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id))
  const body = Buffer.concat([cipher.update(String(left).padStart(4, '0')), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Decrypts the position; NaN, which matches nothing, if none of the keys sealed it. */
function unseal(keys: readonly Buffer[], id: string, sealed: Buffer): number {
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(id))
      decipher.setAuthTag(sealed.subarray(12, 28))
      return Number(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString())
    } catch {
      // sealed with another key
    }
  }
  return Number.NaN
}
