import { deflateSync } from 'node:zlib'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestCall } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { readEvidence } from '../door.ts'
import { identity, deleteOldUploads } from '../index.ts'
import { sealReading } from '../ocr/readings.ts'
import { readDataKey } from '../person.ts'
import { storeReading } from './data.ts'

const db = await useTestDb()
const clock = createTestClock()
const folder = mkdtempSync(join(tmpdir(), 'papers-'))
const app = createTestApp({ features: [account, identity, notices, risk], db, clock, env: { IDENTITY_FOLDER: folder } })

async function aMember(): Promise<{ userId: string; call: TestCall }> {
  const { userId, token } = await aUser(app.deps)
  return { userId, call: app.callAs(token) }
}
/** A photo as made by a phone: lying on its side, with the place where it was taken. */
const photo = () =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#88aacc' } })
    .withExif({ IFD0: { Make: 'PhoneMaker', Copyright: 'SECRET-EXIF' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '22/1 32/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

function formOf(fields: Record<string, string>, file: Buffer, name = 'photo.jpg'): { payload: Buffer; type: string } {
  const edge = 'edge-of-a-form'
  const parts = Object.entries(fields).map(([key, value]) => `--${edge}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`)
  const head = `${parts.join('')}--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/jpeg\r\n\r\n`
  return { payload: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${edge}--\r\n`)]), type: `multipart/form-data; boundary=${edge}` }
}
async function post(fields: Record<string, string>, file: Buffer, name?: string): Promise<number> {
  const { payload, type } = formOf(fields, file, name)
  return (await app.inject({ method: 'POST', url: '/identity/upload', payload, headers: { 'content-type': type } })).statusCode
}
/** Requests a policy, uploads the file and completes it; returns the result of each step. */
async function upload(
  { call }: { call: TestCall },
  file: Buffer,
  { type = 'image/jpeg', purpose = 'idFront' }: { readonly type?: string; readonly purpose?: string } = {},
) {
  const { data } = await call('GET', '/common/upload/policy', { purpose, type, size: file.length })
  const sent = await post(data.fields, file)
  const done = await call('POST', '/common/upload/done', { filePath: data.filePath })
  return { sent, done, filePath: data.filePath as string, policy: data }
}
const lying = (room: string) => {
  try {
    return readdirSync(join(folder, room))
  } catch {
    return []
  }
}

test('a picture is redrawn: upright, without where and by what it was taken, sealed, the original gone', async () => {
  const member = await aMember()
  const original = await photo()
  expect(original.includes('SECRET-EXIF')).toBe(true)
  const { sent, done, filePath } = await upload(member, original)
  expect([sent, done.code]).toEqual([204, 200])
  expect([done.data.width, done.data.height]).toEqual([600, 900])
  expect(lying('quarantine')).toEqual([])
  const kept = readFileSync(join(folder, 'sealed', filePath))
  expect(kept.subarray(0, 3).toString('hex')).not.toBe('ffd8ff')
  const flow = (await member.call('GET', '/account/opening')).data
  const { until, sign } = flow.files.idFront
  const shown = await member.call('GET', '/common/upload/file', { filePath, until, sign })
  expect(shown.raw.headers['content-type']).toContain('image/jpeg')
  const bytes = shown.raw.rawPayload
  const seen = await sharp(bytes).metadata()
  expect([seen.format, seen.exif, seen.orientation, bytes.includes('SECRET')]).toEqual(['jpeg', undefined, undefined, false])
})

test('H6: a document is taken as evidence alone, redrawn and sealed, given back as a download, and never read by OCR', async () => {
  const member = await aMember()
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>\nendobj\n' +
      '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>\nendobj\n' +
      'trailer << /Root 1 0 R >>\n%%EOF\n',
  )
  const { done, filePath } = await upload(member, pdf, { type: 'application/pdf', purpose: 'evidence' })
  expect([done.code, done.data]).toEqual([200, { filePath, width: 0, height: 0 }])
  expect(readFileSync(join(folder, 'sealed', filePath)).includes('%PDF')).toBe(false)
  const evidence = (await readEvidence(app.deps, member.userId, filePath))!
  expect(evidence).toMatchObject({ name: `${filePath}.pdf`, type: 'application/pdf' })
  const drawn = Buffer.from(evidence.body)
  expect([drawn.toString('latin1', 0, 5), drawn.includes('JavaScript'), drawn.includes('OpenAction')]).toEqual(['%PDF-', false, false])
  const { until, sign } = (await member.call('GET', '/account/opening')).data.files.evidence
  const { headers, rawPayload } = (await member.call('GET', '/common/upload/file', { filePath, until, sign })).raw
  expect([headers['content-type'], String(headers['content-disposition']).split(';')[0], rawPayload.equals(drawn)]).toEqual([
    'application/pdf',
    'attachment',
    true,
  ])
  expect((await member.call('POST', '/common/ocrIdCardFace', { filePath })).code).not.toBe(200)
  expect((await member.call('GET', '/common/upload/policy', { purpose: 'idFront', type: 'application/pdf', size: 9 })).code).toBe(400)
  for (const [file, type] of [
    [Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'), 'application/pdf'],
    [await photo(), 'application/pdf'],
    [pdf, 'image/jpeg'],
  ] as const)
    expect((await upload(member, file, { type, purpose: 'evidence' })).done.code).toBe(3662)
})

test('only the owner sees a picture, and by an address of the last five minutes', async () => {
  const [owner, other] = [await aMember(), await aMember()]
  const { filePath } = await upload(owner, await photo())
  const { until, sign } = (await owner.call('GET', '/account/opening')).data.files.idFront
  expect(until - clock.now().getTime() / 1000).toBeLessThanOrEqual(300)
  expect((await other.call('GET', '/common/upload/file', { filePath, until, sign })).code).toBe(3663)
  expect((await app.call('GET', '/common/upload/file', { filePath, until, sign })).code).toBe(401)
  expect((await owner.call('GET', '/common/upload/file', { filePath, until: until + 3600, sign })).code).toBe(3663)
  for (const path of ['/common/upload/done', '/common/upload/delete', '/common/ocrIdCardFace'])
    expect([path, (await other.call('POST', path, { filePath })).code]).toEqual([path, 3663])
  clock.advance(301_000)
  expect((await owner.call('GET', '/common/upload/file', { filePath, until, sign })).code).toBe(3663)
  const fresh = (await owner.call('GET', '/account/opening')).data.files.idFront
  expect((await owner.call('GET', '/common/upload/file', { filePath, until: fresh.until, sign: fresh.sign })).status).toBe(200)
  expect((await owner.call('POST', '/common/upload/delete', { filePath })).code).toBe(200)
  expect((await owner.call('GET', '/common/upload/file', { filePath, until: fresh.until, sign: fresh.sign })).code).toBe(3663)
  expect(lying('sealed')).not.toContain(filePath)
})

test('a permission without parameters is for one picture of any size; nothing is made of it until it is read', async () => {
  const member = await aMember()
  const { data } = await member.call('GET', '/common/upload/policy')
  expect(data.maxBytes).toBe(10_000_000)
  expect(await post(data.fields, Buffer.alloc(10_000_001))).toBe(403)
  expect(await post(data.fields, Buffer.alloc(0))).toBe(403)
  expect(await post(data.fields, await photo())).toBe(204)
  expect((await member.call('POST', '/common/upload/done', { filePath: data.filePath })).code).toBe(200)
  const files = async () => Object.keys((await member.call('GET', '/account/opening')).data.files)
  expect(await files()).toEqual([])
  const key = (await readDataKey(app.deps, db, member.userId))!
  const sealed = sealReading(key, { filePath: data.filePath, purpose: 'idFront', fields: [] })
  await storeReading(db, data.filePath, { sealed, purpose: 'idFront' })
  expect(await files()).toEqual(['idFront'])
  // its kind stays that of the first reading
  await storeReading(db, data.filePath, { sealed: Buffer.from('other'), purpose: 'passport' })
  expect(await db.query('select purpose, sealed_reading from identity_files where id = $1', [data.filePath])).toEqual([
    { purpose: 'idFront', sealedReading: sealed },
  ])
  const { data: other } = await member.call('GET', '/common/upload/policy')
  expect(await post(other.fields, Buffer.from('%PDF-1.7'))).toBe(204)
  expect((await member.call('POST', '/common/upload/done', { filePath: other.filePath })).code).toBe(3662)
})

test('a permission is for one file of one size and type, until its time, and no field of it can be changed', async () => {
  const member = await aMember()
  const file = await photo()
  const policy = async (size = file.length) => (await member.call('GET', '/common/upload/policy', { purpose: 'idFront', type: 'image/jpeg', size })).data
  const { fields, filePath } = await policy()
  for (const change of [
    { key: '../../etc/passwd' },
    { key: 'paper_00000000000000000000000000' },
    { bytes: '5' },
    { type: 'image/svg+xml' },
    { until: String(Number(fields.until) + 9) },
    { sign: 'x' },
  ])
    expect([change, await post({ ...fields, ...change }, file)]).toEqual([change, 403])
  expect(await post(fields, Buffer.concat([file, file]))).toBe(403)
  expect(await post(fields, file, '../../../tmp/evil.sh')).toBe(204)
  expect(lying('quarantine')).toContain(filePath)
  expect((await member.call('POST', '/common/upload/done', { filePath })).code).toBe(200)
  expect(await post(fields, file)).toBe(403)
  const late = await policy()
  clock.advance(11 * 60_000)
  expect(await post(late.fields, file)).toBe(403)
  for (const size of [0, 10_000_001, 50_000_000, -1])
    expect((await member.call('GET', '/common/upload/policy', { purpose: 'idFront', type: 'image/jpeg', size })).code).toBe(400)
  for (const type of ['image/svg+xml', 'image/heic', 'text/html', 'application/zip'])
    expect((await member.call('GET', '/common/upload/policy', { purpose: 'idFront', type, size: 5 })).code).toBe(400)
  const large = await policy(10_000_000)
  expect(await post(large.fields, Buffer.alloc(50_000_000))).toBe(413)
  expect(await post(large.fields, Buffer.alloc(10_000_000))).toBe(204)
  expect((await member.call('POST', '/common/upload/done', { filePath: large.filePath })).code).toBe(3662)
  expect(
    (await app.inject({ method: 'POST', url: '/identity/upload', payload: '{"key":1}', headers: { 'content-type': 'application/json' } })).statusCode,
  ).toBe(403)
  expect(
    (await app.inject({ method: 'POST', url: '/identity/upload', payload: 'broken', headers: { 'content-type': 'multipart/form-data; boundary=x' } }))
      .statusCode,
  ).toBe(403)
})

/** A PNG of that many pixels in a few bytes. */
function bomb(width: number, height: number): Buffer {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    let crc = 0xffffffff
    for (const byte of body) crc = crcTable[(crc ^ byte) & 255]! ^ (crc >>> 8)
    const end = Buffer.alloc(8)
    end.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 0)
    const head = Buffer.alloc(4)
    head.writeUInt32BE(data.length)
    return Buffer.concat([head, body, end.subarray(0, 4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(200_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('a file that is no honest picture is refused, whatever it calls itself, and nothing of it stays', async () => {
  const jpeg = await photo()
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>`)
  const attacks: Record<string, Buffer> = {
    'svg with a script': svg,
    'svg behind an xml head': Buffer.concat([Buffer.from('<?xml version="1.0"?>'), svg]),
    'svg behind a JPEG mark': Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), svg]),
    'html': Buffer.from('<html><script>alert(1)</script></html>'),
    'zip': Buffer.from(`504b0304${'00'.repeat(200)}`, 'hex'),
    'pdf': Buffer.from('%PDF-1.7 hello'),
    'gif with a script': Buffer.from('GIF89a/*<script>*/=1;'),
    'heic': Buffer.concat([Buffer.from('0000001866747970686569630000000068656963', 'hex'), Buffer.alloc(400)]),
    'tiff': await sharp({ create: { width: 600, height: 600, channels: 3, background: 'red' } })
      .tiff()
      .toBuffer(),
    'half a JPEG': jpeg.subarray(0, 600),
    'a JPEG mark alone': Buffer.from('ffd8ffdb', 'hex'),
    'a PNG mark and noise': Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(500, 7)]),
    '30,000 by 30,000 pixels': bomb(30_000, 30_000),
    'a line of 2 million pixels': bomb(2_000_000, 400),
    'too small to be read': await sharp({ create: { width: 90, height: 90, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer(),
    'nothing': Buffer.from('\n'),
  }
  for (const [name, file] of Object.entries(attacks)) {
    const member = await aMember()
    const { done, filePath } = await upload(member, file)
    expect([name, done.code]).toEqual([name, 3662])
    expect([name, (await member.call('POST', '/common/upload/done', { filePath })).code]).toEqual([name, 3662])
    expect([name, lying('sealed').includes(filePath), lying('quarantine').includes(filePath)]).toEqual([name, false, false])
  }
})

test('bytes behind the end of a picture are removed', async () => {
  const member = await aMember()
  for (const tail of ['<?php system($_GET[0]); ?>', 'PK\u0003\u0004 a zip', '<script>alert(1)</script>']) {
    const { done, filePath } = await upload(member, Buffer.concat([await photo(), Buffer.from(tail)]))
    expect(done.code).toBe(200)
    const { until, sign } = (await member.call('GET', '/account/opening')).data.files.idFront
    const shown = await member.call('GET', '/common/upload/file', { filePath, until, sign })
    expect(shown.raw.rawPayload.includes(tail.slice(0, 8))).toBe(false)
  }
})

test('an upload completed several times at once is taken in, and completing it again succeeds', async () => {
  const member = await aMember()
  const file = await photo()
  const { data } = await member.call('GET', '/common/upload/policy', { purpose: 'photo', type: 'image/jpeg', size: file.length })
  await post(data.fields, file)
  const ends = await Promise.all([1, 2, 3].map(() => member.call('POST', '/common/upload/done', { filePath: data.filePath })))
  expect(ends.some(({ code }) => code === 200)).toBe(true)
  expect((await member.call('POST', '/common/upload/done', { filePath: data.filePath })).code).toBe(200)
})

test('pictures end after thirty days, uploads that were never taken in after an hour', async () => {
  const member = await aMember()
  const { filePath } = await upload(member, await photo())
  const waiting = (await member.call('GET', '/common/upload/policy', { purpose: 'photo', type: 'image/png', size: 9 })).data.filePath
  clock.advance(29 * 86_400_000)
  await deleteOldUploads(app.deps)
  const states = () => db.query('select id, state from identity_files where id = any($1) order by purpose', [[filePath, waiting]])
  expect(await states()).toEqual([
    { id: filePath, state: 'kept' },
    { id: waiting, state: 'gone' },
  ])
  clock.advance(2 * 86_400_000)
  await deleteOldUploads(app.deps)
  expect((await states())[0]).toEqual({ id: filePath, state: 'gone' })
  expect(lying('sealed')).not.toContain(filePath)
})
