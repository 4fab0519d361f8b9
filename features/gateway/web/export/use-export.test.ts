import { expect, test } from 'vitest'
import { isCompleteExport } from './export-button.tsx'

const file = (...lines: string[]) => new Blob([lines.map((line) => `${line}\r\n`).join('')])

test('a file is whole when its last line counts the calls before it', async () => {
  expect(await isCompleteExport(file('head', 'a', 'b', '合计 2 次调用,,,0.5'), 4)).toBe(true)
  expect(await isCompleteExport(file('head', '合计 0 次调用,,,0'), 2)).toBe(true)
  expect(await isCompleteExport(file('head', 'a', 'b'), 3)).toBe(false)
  expect(await isCompleteExport(file('head', 'a', '2026-11-01 00:00:00,call_1'), 3)).toBe(false)
  expect(await isCompleteExport(new Blob([]), 0)).toBe(false)
})
