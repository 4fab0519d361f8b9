import { expect, test } from 'vitest'
import { toGbk } from '#stand-ins/alipay/index.ts'
import { buildZip } from '#stand-ins/alipay/index.ts'
import { readZip } from './bill.ts'

const files = [
  { name: toGbk('汇总.csv'), bytes: toGbk('#汇总\r\n') },
  { name: toGbk('业务明细.csv'), bytes: toGbk('明细，'.repeat(5000)) },
  { name: Buffer.from('empty'), bytes: Buffer.alloc(0) },
]
const readAll = (archive: Buffer) => Promise.all(files.map((file) => readZip(archive, (name) => name.equals(file.name))))

test('an archive unpacks to its names and bytes, stored and deflated', async () => {
  const archive = buildZip(files)
  expect(await readAll(archive)).toEqual(files)
  // A comment, or the header of a self-extractor, may surround the archive.
  expect(await readAll(Buffer.concat([archive, Buffer.from('a comment')]))).toEqual(files)
  expect(await readZip(archive, () => false)).toBeUndefined()
})

test('any other input is an error, and never hangs or reads outside', async () => {
  const archive = buildZip(files)
  await expect(readZip(Buffer.alloc(0), () => true)).rejects.toThrow()
  await expect(readZip(Buffer.from('<html>'), () => true)).rejects.toThrow('not a ZIP')
  for (let cut = 1; cut < archive.length; cut += 37) await expect(readAll(archive.subarray(0, -cut))).rejects.toThrow()
  for (let at = 0; at < archive.length; at += 11) {
    const broken = Buffer.from(archive)
    broken[at] = broken[at]! ^ 0xff
    const read = await readAll(broken).catch((error: unknown) => error)
    if (!Array.isArray(read)) expect(read).toBeInstanceOf(Error)
  }
})

test('an entry unpacks to no more than its list says', async () => {
  const archive = buildZip([files[0]!, { name: Buffer.from('bomb'), bytes: Buffer.alloc(50_000) }])
  const list = archive.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
  const read = () =>
    readZip(archive, (name) => name.equals(Buffer.from('bomb'))).then(
      (file) => file!.bytes.length,
      () => 'refused',
    )
  expect(await read()).toBe(50_000)
  archive.writeUInt32LE(1_000, list + 24)
  expect(await read()).toBe('refused')
})
