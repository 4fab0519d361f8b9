import { afterAll, beforeEach, expect, test } from 'vitest'
import { startS3 } from '#stand-ins/s3/index.ts'
import { S3_RULES } from '#stand-ins/s3/rules.ts'
import { S3_KEY_ID, S3_REGION, S3_SECRET } from '#stand-ins/s3/sign.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { StoreTools } from '../port.ts'
import { s3 } from './index.ts'

const NOW = new Date('2026-11-23T04:00:00Z')
const EXPIRES = new Date('2026-11-23T04:10:00Z')
let companyTime = NOW
const { company, objects } = await startS3({ bucket: 'papers', now: () => companyTime })
afterAll(() => company.close())
beforeEach(() => {
  companyTime = NOW
  company.behave()
})
const env = {
  IDENTITY_S3_ENDPOINT: company.url,
  IDENTITY_S3_BUCKET: 'papers',
  IDENTITY_S3_REGION: S3_REGION,
  IDENTITY_S3_KEY_ID: S3_KEY_ID,
  IDENTITY_S3_SECRET: S3_SECRET,
}
const tools: StoreTools = { ...aSupplierTools(), now: () => NOW, secret: () => Buffer.alloc(32) }
const ID = 'paper_01KA0000000000000000ABCDEF'

test('a stored file is read back, a deleted one is gone, and each lies in its own room', async () => {
  const store = s3.connect(env)!
  const sealed = Buffer.from([0, 0xff, 0xfe, 0x80, 10])
  await store.put(tools, ID, sealed)
  expect([...objects.keys()]).toEqual([`/papers/sealed/${ID}`])
  expect(await store.get(tools, ID)).toEqual(sealed)
  expect(await store.takeOut(tools, ID, 100)).toBeUndefined()
  objects.set(`/papers/quarantine/${ID}`, { body: Buffer.from('an upload'), type: 'image/png' })
  expect((await store.takeOut(tools, ID, 100))?.toString()).toBe('an upload')
  expect(await store.takeOut(tools, ID, 5)).toBeUndefined()
  await store.dropUpload(tools, ID)
  await store.drop(tools, ID)
  await store.drop(tools, ID)
  expect(objects.size).toBe(0)
})

/** Uploads as a browser does, with the fields of `allow` and changes to them. */
async function upload(file: string, over: { type?: string | undefined; fields?: Record<string, string> } = {}) {
  const { type = 'image/png', fields: changed = {} } = over
  const { url, fields } = s3.connect(env)!.allow(tools, { id: ID, type: 'type' in over ? over.type : type, least: 5, most: 8, expiresAt: EXPIRES })
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, ...changed })) form.set(name, value)
  form.set('file', new Blob([file]), 'paper.png')
  const reply = await fetch(url, { method: 'POST', body: form })
  return [reply.status, /<Code>(\w+)/.exec(await reply.text())?.[1]]
}

test('a browser uploads to the store itself, and the policy’s page may reach it', async () => {
  const store = s3.connect(env)!
  const { url, fields } = store.allow(tools, { id: ID, type: 'image/png', least: 5, most: 5, expiresAt: EXPIRES })
  expect([url, fields['key'], fields['Content-Type']]).toEqual([`${company.url}/papers`, `quarantine/${ID}`, 'image/png'])
  expect(JSON.stringify(fields)).not.toContain(S3_SECRET)
  expect(store.origins).toEqual([company.url])
  expect(store.receive).toBeUndefined()
  expect(await upload('12345')).toEqual([204, undefined])
  expect((await store.takeOut(tools, ID, 100))?.toString()).toBe('12345')
  await store.dropUpload(tools, ID)
  expect(await upload('12345678', { type: undefined })).toEqual([204, undefined])
  await store.dropUpload(tools, ID)
})

test('an upload is held to its policy: size, type, name, fields and time', async () => {
  expect(await upload('1234')).toEqual([400, 'EntityTooSmall'])
  expect(await upload('123456789')).toEqual([400, 'EntityTooLarge'])
  expect(await upload('12345', { fields: { 'Content-Type': 'text/html' } })).toEqual([403, 'AccessDenied'])
  expect(await upload('12345', { fields: { key: 'sealed/another' } })).toEqual([403, 'AccessDenied'])
  expect(await upload('12345', { fields: { acl: 'public-read' } })).toEqual([403, 'AccessDenied'])
  expect(await upload('12345', { fields: { policy: 'e30=' } })).toEqual([403, 'SignatureDoesNotMatch'])
  companyTime = EXPIRES
  expect(await upload('12345')).toEqual([403, 'AccessDenied'])
  expect(objects.size).toBe(0)
})

test.each([
  ['a missing bucket', { IDENTITY_S3_BUCKET: 'other' }, 'NoSuchBucket'],
  ['an unknown key', { IDENTITY_S3_KEY_ID: 'other' }, 'InvalidAccessKeyId'],
  ['a wrong region', { IDENTITY_S3_REGION: 'us-east-1' }, 'AuthorizationQueryParametersError'],
])('%s concerns our account, and is no missing object', async (_, over, code) => {
  const store = s3.connect({ ...env, ...over })!
  for (const ask of [() => store.put(tools, ID, Buffer.from('x')), () => store.get(tools, ID), () => store.drop(tools, ID)])
    await expect(ask()).rejects.toMatchObject({ kind: 'retryable', reason: 'our_account', ours: true, detail: expect.stringContaining(code) })
})

test('a clock that is a quarter of an hour off concerns our account', async () => {
  for (const minutes of [-16, 16]) {
    companyTime = new Date(NOW.getTime() + minutes * 60_000)
    await expect(s3.connect(env)!.get(tools, ID)).rejects.toMatchObject({ reason: 'our_account', detail: 's3 403 AccessDenied' })
  }
})

test('addresses of ours and forms of browsers end within the vendor’s limit', async () => {
  await s3.connect(env)!.drop(tools, ID)
  const { query } = company.seen.at(-1)!
  expect(Number(query.get('X-Amz-Expires'))).toBeLessThanOrEqual(S3_RULES.expires.most)
})

test('a store that fails is an error, and the error names no address', async () => {
  const store = s3.connect({ ...env, IDENTITY_S3_SECRET: 'another secret' })!
  for (const ask of [() => store.put(tools, ID, Buffer.from('x')), () => store.get(tools, ID), () => store.drop(tools, ID)]) {
    const error = await ask().then(
      () => new Error('it went well'),
      (problem: Error) => problem,
    )
    expect(error).toMatchObject({ kind: 'retryable', reason: 'our_account', ours: true, detail: 's3 403 SignatureDoesNotMatch' })
  }
  company.misbehave('error-before', 1)
  await expect(s3.connect(env)!.get(tools, ID)).rejects.toMatchObject({ kind: 'retryable', reason: 'supplier_fault' })
})

test('a page of a proxy in between is no receipt: nothing counts as kept or deleted', async () => {
  const store = s3.connect(env)!
  for (const ask of [() => store.put(tools, ID, Buffer.from('x')), () => store.drop(tools, ID), () => store.takeOut(tools, ID, 100)]) {
    company.misbehave('html', 1)
    await expect(ask()).rejects.toMatchObject({ reason: 'unreadable' })
  }
})

test('the store is absent without settings, and incomplete ones stop the start', () => {
  expect(s3.connect({})).toBeUndefined()
  expect(() => s3.connect({ IDENTITY_S3_BUCKET: 'papers' })).toThrow('IDENTITY_S3_ENDPOINT')
})
