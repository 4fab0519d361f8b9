import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FILE_CHUNK_BYTES } from '../../wire.ts'
import { createSessionFiles, FileRefusal, createFileFolders, sanitizeFileName } from './files.ts'

const base = mkdtempSync(join(tmpdir(), 'remote-files-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const aRoom = () => createFileFolders(mkdtempSync(join(base, 'session-')), undefined)
const LIMITS = { files: 3, bytes: 200_000 }
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: unknown) => (error instanceof FileRefusal ? error.what : 'broken'),
  )
const bytes = Buffer.from(Array.from({ length: 2 * FILE_CHUNK_BYTES + 9 }, (_, at) => (at * 7) % 251))

test('an upload in pieces is a file with its own name once it is complete, and none before', async () => {
  const room = aRoom()
  const files = createSessionFiles(room, LIMITS)
  const put = (at: number) => files.put('upload_1', { name: '合同 (终稿).pdf', size: bytes.length, at, bytes: bytes.subarray(at, at + FILE_CHUNK_BYTES) })
  const first = [put(0), put(FILE_CHUNK_BYTES)]
  expect(await Promise.all(first)).toEqual([FILE_CHUNK_BYTES, 2 * FILE_CHUNK_BYTES])
  expect([files.given('upload_1'), readdirSync(room.in)]).toEqual([undefined, []])
  expect(await put(2 * FILE_CHUNK_BYTES)).toBe(bytes.length)
  const path = files.given('upload_1')!
  expect([basename(path), path.startsWith(room.in), readFileSync(path).equals(bytes), readdirSync(room.coming)]).toEqual(['合同 (终稿).pdf', true, true, []])
  expect(await files.put('upload_2', { name: 'empty', size: 0, at: 0, bytes: Buffer.alloc(0) })).toBe(0)
  expect(readFileSync(files.given('upload_2')!)).toHaveLength(0)
})

test('an upload that is too large, too many, out of place or longer than declared is refused', async () => {
  const files = createSessionFiles(aRoom(), LIMITS)
  const put = (file: string, piece: { size?: number; at?: number; length?: number } = {}) =>
    refused(files.put(file, { name: 'x', size: piece.size ?? 10, at: piece.at ?? 0, bytes: Buffer.alloc(piece.length ?? 10) }))
  expect(await put('file_000', { size: 200_001 })).toBe('tooLarge')
  expect(await put('file_001', { length: 11 })).toBe('upload')
  expect(await put('file_002', { at: 5, length: 5 })).toBe('upload')
  expect(await put('file_003')).toBe('taken')
  expect(await put('file_003')).toBe('upload')
  expect(await put('file_004', { length: 4 })).toBe('taken')
  expect(await put('file_004', { at: 5, length: 5 })).toBe('upload')
  expect(await put('file_005')).toBe('tooMany')
  await files.close()
  const none = createSessionFiles(aRoom(), { files: 0, bytes: 1 })
  expect(await refused(none.put('file_006', { name: 'x', size: 1, at: 0, bytes: Buffer.alloc(1) }))).toBe('tooMany')
})

test('a download is read in pieces, and links to other files are refused', async () => {
  const room = aRoom()
  const files = createSessionFiles(room, LIMITS)
  writeFileSync(join(room.out, 'guid-one'), bytes)
  expect(
    Buffer.concat([await files.get('guid-one', 0), await files.get('guid-one', FILE_CHUNK_BYTES), await files.get('guid-one', 2 * FILE_CHUNK_BYTES)]).equals(
      bytes,
    ),
  ).toBe(true)
  expect(await files.get('guid-one', 10_000_000)).toHaveLength(0)
  const secret = join(base, 'secret')
  writeFileSync(secret, 'secret')
  symlinkSync(secret, join(room.out, 'guid-link'))
  linkSync(secret, join(room.out, 'guid-hard'))
  for (const name of ['guid-link', 'guid-hard', 'guid-none']) expect([name, await refused(files.get(name, 0))]).toEqual([name, 'broken'])
  expect(await refused(createSessionFiles({ ...room, owner: 4_000_000_000 }, LIMITS).get('guid-one', 0))).toBe('broken')
})

test.each([
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\Users\\me\\报告.docx', 'C__Users_me_报告.docx'],
  ['..', 'file'],
  ['', 'file'],
  ['invoice\u202Efdp.exe', 'invoice_fdp.exe'],
  ['a\nb\u0000c.txt', 'a_b_c.txt'],
])('a file called %j is %s', (name, safe) => {
  expect(sanitizeFileName(name)).toBe(safe)
})

test('a long name keeps its ending and whole letters', () => {
  const name = sanitizeFileName(`${'长'.repeat(200)}.pdf`)
  expect([name.endsWith('长.pdf'), Buffer.byteLength(name) <= 180]).toEqual([true, true])
})
