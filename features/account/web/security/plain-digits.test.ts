import { expect, test } from 'vitest'
import { isPlainDigits } from './twice-six-digits.tsx'

test('equal digits and runs are plain; the server judges everything else', () => {
  for (const digits of ['000000', '111111', '123456', '654321', '012345']) expect(isPlainDigits(digits)).toBe(true)
  for (const digits of ['121212', '135791', '739164', '112233']) expect(isPlainDigits(digits)).toBe(false)
})
