import { randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { CaptchaVendor, CaptchaVerdict } from '../port.ts'
import { readPayload } from './payload.ts'

/** Hash rounds of one derivation: enough that a graphics card gains little, few enough for an old phone. */
const ROUNDS = 2000
/** Factor of extra work if this is the alternative to another captcha. */
const WAY_FACTOR = 4

/**
 * Hidden proof of work. The server picks a random number, derives a key from it and reveals half of the key; the client must count up to
 * the number. All parameters including the scene are signed (an expiry spliced in elsewhere breaks the signature, CVE-2025-68113); single
 * use is enforced by us.
 */
export const altcha: CaptchaVendor = {
  id: 'altcha',
  offered: () => true,
  open: ({ clock, keys, store, rules }) => {
    const secrets = keys.map((key) => ({ hmacSignatureSecret: `challenge ${key.toString('hex')}`, hmacKeySignatureSecret: `key ${key.toString('hex')}` }))
    return {
      challenge: async (scene, role) => {
        const average = rules.effort * (role === 'way' ? WAY_FACTOR : 1)
        const { parameters, signature } = await createChallenge({
          algorithm: 'PBKDF2/SHA-256',
          cost: ROUNDS,
          // Picks near the average instead of from zero, so that no user waits ten times longer than another.
          counter: randomInt(Math.ceil(average / 2), Math.ceil(average * 1.5) + 1),
          data: { scene, role },
          expiresAt: new Date(clock.now().getTime() + rules.liveSeconds * 1000),
          deriveKey,
          ...secrets[0]!,
        })
        return { kind: 'altcha', challenge: { parameters: { ...parameters }, signature: signature! }, expiresInSeconds: rules.liveSeconds }
      },
      verify: async (scene, proof, role): Promise<CaptchaVerdict> => {
        const payload = readPayload(proof)
        if (!payload) return 'wrong'
        const { expiresAt, data } = payload.challenge.parameters
        if (data?.['scene'] !== scene || (role === 'way' && data['role'] !== 'way')) return 'wrong'
        if (expiresAt === undefined || expiresAt * 1000 <= clock.now().getTime()) return 'expired'
        let checked
        for (const secret of secrets) {
          checked = await verifySolution({ ...payload, deriveKey, ...secret }).catch(() => undefined)
          if (checked?.verified || checked?.expired) break
        }
        if (!checked?.verified) return checked?.expired ? 'expired' : 'wrong'
        // Identified by the signature: the same challenge solved again is the same proof.
        return (await store.spend(payload.challenge.signature, new Date((expiresAt + 60) * 1000))) ? 'good' : 'used'
      },
    }
  },
}
