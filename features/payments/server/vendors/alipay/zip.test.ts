import { expect, test } from 'vitest'
import { toGbk } from './fake/gbk.ts'
import { zipOf } from './fake/zip.ts'
import { readZip } from './zip.ts'

const files = [
  { name: toGbk('汇总.csv'), bytes: toGbk('#汇总\r\n') },
  { name: toGbk('业务明细.csv'), bytes: toGbk('明细，'.repeat(5000)) },
  { name: Buffer.from('empty'), bytes: Buffer.alloc(0) },
]

test('what was packed comes out, names and bytes, stored and deflated', () => {
  const archive = zipOf(files)
  expect(readZip(archive)).toEqual(files)
  // A comment, or a header of a self-extractor, may stand around it.
  expect(readZip(Buffer.concat([archive, Buffer.from('a comment')]))).toEqual(files)
})

test('anything else is an error and never hangs or reads outside', () => {
  const archive = zipOf(files)
  expect(() => readZip(Buffer.alloc(0))).toThrow()
  expect(() => readZip(Buffer.from('<html>'))).toThrow('not a ZIP')
  for (let cut = 1; cut < archive.length; cut += 37) expect(() => readZip(archive.subarray(0, -cut))).toThrow()
  for (let at = 0; at < archive.length; at += 11) {
    const broken = Buffer.from(archive)
    broken[at] = broken[at]! ^ 0xff
    try {
      expect(readZip(broken).length).toBeLessThanOrEqual(files.length)
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
    }
  }
})
