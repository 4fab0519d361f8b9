import { afterAll, expect, test } from 'vitest'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { StoreTools } from '../port.ts'
import { s3 } from './index.ts'
import { presignS3Url } from './sign.ts'

const NOW = new Date('2026-11-23T04:00:00Z')
const account = { accessKeyId: 'papers-key', secretAccessKey: 'papers-secret-of-a-test', region: 'cn-test-1' }
const objects = new Map<string, string>()
/** A store that accepts only URLs with a valid signature. */
const company = await startStandInServer(({ method, path, url, body }) => {
  const right = new URL(presignS3Url(account, method as 'GET', { url: new URL(path, company.url), seconds: 60, at: NOW }))
  if (url !== `${right.pathname}${right.search}`) return { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' }
  if (method === 'PUT') objects.set(path, body)
  if (method === 'DELETE') objects.delete(path)
  const found = objects.get(path)
  if (method === 'DELETE') return { status: 204, body: '' }
  return found === undefined ? { status: 404, body: '' } : { status: 200, body: method === 'GET' ? found : '', headers: { etag: '"9b2cf535f27731c9"' } }
})
afterAll(() => company.close())
const env = {
  IDENTITY_S3_ENDPOINT: company.url,
  IDENTITY_S3_BUCKET: 'papers',
  IDENTITY_S3_REGION: account.region,
  IDENTITY_S3_KEY_ID: account.accessKeyId,
  IDENTITY_S3_SECRET: account.secretAccessKey,
}
const tools: StoreTools = { ...aSupplierTools(), now: () => NOW, secret: () => Buffer.alloc(32) }
const ID = 'paper_01KA0000000000000000ABCDEF'

test('a stored file is read back, a deleted one is gone, and each lies in its own room', async () => {
  const store = s3.connect(env)!
  await store.put(tools, ID, Buffer.from('sealed'))
  expect([...objects.keys()]).toEqual([`/papers/sealed/${ID}`])
  expect((await store.get(tools, ID))?.toString()).toBe('sealed')
  expect(await store.takeOut(tools, ID, 100)).toBeUndefined()
  objects.set(`/papers/quarantine/${ID}`, 'an upload')
  expect((await store.takeOut(tools, ID, 100))?.toString()).toBe('an upload')
  expect(await store.takeOut(tools, ID, 5)).toBeUndefined()
  await store.dropUpload(tools, ID)
  await store.drop(tools, ID)
  await store.drop(tools, ID)
  expect(objects.size).toBe(0)
})

test('a browser uploads to the store itself, and the policy’s page may reach it', () => {
  const store = s3.connect(env)!
  const { url, fields } = store.allow(tools, { id: ID, type: 'image/png', least: 5, most: 5, expiresAt: new Date('2026-11-23T04:10:00Z') })
  expect([url, fields['key'], fields['Content-Type']]).toEqual([`${company.url}/papers`, `quarantine/${ID}`, 'image/png'])
  expect(JSON.stringify(fields)).not.toContain(account.secretAccessKey)
  expect(store.origins).toEqual([company.url])
  expect(store.receive).toBeUndefined()
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
