import { afterAll, expect, test } from 'vitest'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { SupplierTools } from '../port.ts'
import { startAlipayFace } from '#stand-ins/alipay/index.ts'
import { alipay } from './index.ts'

const company = await startAlipayFace()
afterAll(() => company.close())
const face = alipay.connect(company.env)!
const tools: SupplierTools = { ...aSupplierTools(), now: () => new Date('2026-11-23T04:00:00Z') }
const NUMBER = '440305199102280017'
const call = {
  id: 'face_01KA00000000000000ABCDEF',
  name: '欧阳修文',
  number: NUMBER,
  returnUrl: 'https://mingxi.example/back?certifyId=face_1',
  expiresAt: new Date(),
  lang: 'zh' as const,
}

test('a check begins with the person’s name and number, leads to the vendor’s page, and trusts its query alone', async () => {
  const { ref, url } = await face.start(tools, call)
  expect(url).toBe(`https://render.alipay.com/p/face?certify_id=${ref}`)
  expect(company.checks.get(ref)).toMatchObject({ name: '欧阳修文', number: NUMBER, returnUrl: call.returnUrl, order: 'face01KA00000000000000ABCDEF' })
  const check = company.checks.get(ref)!
  expect(await face.query(tools, ref)).toBe('processing')
  for (const [passed, reason, outcome] of [
    ['F', 'FACE_QUALITY_LOW', 'failed'],
    ['F', 'CERT_FACE_NOT_MATCH', 'other'],
    ['F', '人脸与身份信息不一致', 'other'],
    ['T', undefined, 'passed'],
  ] as const) {
    company.checks.set(ref, { ...check, passed, ...(reason ? { reason } : {}) })
    expect([passed, reason, await face.query(tools, ref)]).toEqual([passed, reason, outcome])
  }
})

test('an answer that is forged, broken or negative is not believed, and no error repeats who it was about', async () => {
  const { ref } = await face.start(tools, call)
  company.checks.set(ref, { ...company.checks.get(ref)!, passed: 'T' })
  const failing = async () => {
    for (const ask of [() => face.query(tools, ref), () => face.start(tools, call)]) {
      const error: Error = await ask().then(
        () => new Error('it was believed'),
        (problem: Error) => problem,
      )
      expect(error.message).toMatch(/^(unknown|retryable|rejected): \w+ \(Alipay (could not be asked|answered) /)
      expect(`${error.message}${error.stack}${JSON.stringify(error)}${String(error.cause)}`).not.toMatch(/欧阳|440305|PRIVATE/)
    }
  }
  company.forge()
  await failing()
  company.honest()
  for (const fault of ['reset-before', 'error-before', 'html', 'empty', 'error-code'] as const) {
    company.http.misbehave(fault, 20)
    await failing()
    company.http.behave()
  }
  expect(await face.query(tools, ref)).toBe('passed')
  await expect(face.query(tools, 'unknown')).rejects.toThrow('CERTIFY_ID_NOT_EXIST')
})

test('the vendor is absent without credentials, and incomplete ones stop the start', () => {
  expect(alipay.connect({})).toBeUndefined()
  expect(() => alipay.connect({ FACE_ALIPAY_APP_ID: company.env.FACE_ALIPAY_APP_ID })).toThrow('FACE_ALIPAY_PRIVATE_KEY')
  expect(() => alipay.connect({ ...company.env, FACE_ALIPAY_PRIVATE_KEY: 'nonsense' })).toThrow()
})
