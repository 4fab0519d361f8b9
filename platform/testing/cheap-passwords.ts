// Runs before each file of the part `db`: a password hash costs a hundredth of the usual work. The hash states the requested cost, so code
// that inspects a stored hash sees the usual value; a hash made elsewhere is compared at its own cost. The servers of e2e use the real
// cost.
import type * as argon2 from '@node-rs/argon2'
import { vi } from 'vitest'

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  // Per process rather than per file: an earlier file may already have loaded the module.
  const made = ((globalThis as { cheapPasswords?: Map<string, string> }).cheapPasswords ??= new Map<string, string>())
  const hash = async (password: string, options: argon2.Options) => {
    const cheap = await real.hash(password, { ...options, memoryCost: 64, timeCost: 1 })
    const told = cheap.replace(/m=\d+,t=\d+/, `m=${options.memoryCost},t=${options.timeCost}`)
    made.set(told, cheap)
    return told
  }
  return { hash, verify: (stored: string, password: string) => real.verify(made.get(stored) ?? stored, password) }
})
