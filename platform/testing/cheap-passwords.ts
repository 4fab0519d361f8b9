// Runs in each file of the part `db`, before the file: a password's hash costs a hundredth. It says it cost what the code asked for, so all that
// looks at a stored hash sees what it would see; one that was made elsewhere is compared at its own cost. The servers of e2e work at the real one.
import type * as argon2 from '@node-rs/argon2'
import { vi } from 'vitest'

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  // of the process, not of the file: what a file loads may have been loaded by the one before
  const made = ((globalThis as { cheapPasswords?: Map<string, string> }).cheapPasswords ??= new Map<string, string>())
  const hash = async (password: string, options: argon2.Options) => {
    const cheap = await real.hash(password, { ...options, memoryCost: 64, timeCost: 1 })
    const told = cheap.replace(/m=\d+,t=\d+/, `m=${options.memoryCost},t=${options.timeCost}`)
    made.set(told, cheap)
    return told
  }
  return { hash, verify: (stored: string, password: string) => real.verify(made.get(stored) ?? stored, password) }
})
