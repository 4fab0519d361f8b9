import { expect, it } from 'vitest'
import { formatMessageCode, formatPhoneNumber } from './words.ts'

it('numbers and codes are shown in groups', () => {
  expect(['+12135550142', '+447700900614', '+6281155512', 'x'].map(formatPhoneNumber)).toEqual(['+1 213 555 0142', '+44 770 090 0614', '+62 8115 5512', 'x'])
  expect(['739204', '4821', '12345678', 'AB-12', ''].map(formatMessageCode)).toEqual(['739 204', '4821', '1234 5678', 'AB-12', ''])
})
