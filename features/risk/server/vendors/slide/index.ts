import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto'
import type { CaptchaVendor } from '../port.ts'
import { drawPuzzle, HEIGHT, PIECE, WIDTH } from './draw.ts'
import { isHumanTrail } from './trail.ts'

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
