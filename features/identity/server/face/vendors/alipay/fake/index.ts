import { createSign, createVerify, generateKeyPairSync } from 'node:crypto'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInRequest } from '#stand-ins/kit/server.ts'

const APP_ID = '2021000118660009'
const SERVICE = 'datadigital.fincloud.generalsaas.face.certify'

/** Fake of Alipay's gateway for face checks; signatures are made and verified by its specification, not its SDK. */
export async function createFakeFaceGateway() {
  const [app, alipay, stranger] = [0, 1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
  const checks = new Map<string, { order: string; name: string; number: string; returnUrl: string; passed: 'T' | 'F'; reason?: string }>()
  let signer = alipay!.privateKey
  const http = await startStandInServer((request) => {
    const fields = Object.fromEntries([...request.query, ...(request.method === 'POST' ? new URLSearchParams(request.body) : [])])
    const name = `${fields['method']!.replaceAll('.', '_')}_response`
    const value = isFromUs(fields) ? answer(fields, request) : { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature' }
    const text = JSON.stringify(value)
    return { status: 200, body: `{"${name}":${text},"sign":"${createSign('RSA-SHA256').update(text, 'utf8').sign(signer, 'base64')}"}` }
  })

  function isFromUs(fields: Record<string, string>): boolean {
    const signed = Object.keys(fields)
      .filter((key) => key !== 'sign')
      .toSorted()
      .map((key) => `${key}=${fields[key]}`)
      .join('&')
    return (
      fields['app_id'] === APP_ID &&
      createVerify('RSA-SHA256')
        .update(signed, 'utf8')
        .verify(app!.publicKey, fields['sign'] ?? '', 'base64')
    )
  }

  function answer(fields: Record<string, string>, { fault }: StandInRequest): Record<string, unknown> {
    if (fault === 'error-code') return { code: '20000', msg: 'Service Currently Unavailable', sub_code: 'isp.unknow-error' }
    const content = JSON.parse(fields['biz_content'] ?? '{}') as Record<string, any>
    if (fields['method'] === `${SERVICE}.initialize`) {
      const { outer_order_no: order, identity_param: who, merchant_config: back } = content
      if (!/^[A-Za-z0-9]{1,32}$/.test(order) || who?.identity_type !== 'CERT_INFO' || who.cert_type !== 'IDENTITY_CARD' || !back?.return_url)
        return { code: '40004', msg: 'Business Failed', sub_code: 'INVALID_PARAMETER' }
      const id = `certify${checks.size + 1}`
      checks.set(id, { order, name: who.cert_name, number: who.cert_no, returnUrl: back.return_url, passed: 'F' })
      return { code: '10000', msg: 'Success', certify_id: id }
    }
    const check = checks.get(content['certify_id'])
    if (!check) return { code: '40004', msg: 'Business Failed', sub_code: 'CERTIFY_ID_NOT_EXIST' }
    if (fields['method'] === `${SERVICE}.verify`)
      return { code: '10000', msg: 'Success', certify_url: `https://render.alipay.com/p/face?certify_id=${content['certify_id']}` }
    return { code: '10000', msg: 'Success', passed: check.passed, ...(check.reason ? { fail_reason: check.reason } : {}) }
  }

  return {
    http,
    checks,
    env: {
      FACE_ALIPAY_APP_ID: APP_ID,
      FACE_ALIPAY_PRIVATE_KEY: (app!.privateKey.export({ type: 'pkcs8', format: 'der' }) as Buffer).toString('base64'),
      FACE_ALIPAY_PUBLIC_KEY: (alipay!.publicKey.export({ type: 'spki', format: 'der' }) as Buffer).toString('base64'),
      FACE_ALIPAY_GATEWAY: `${http.url}/gateway.do`,
    },
    /** Signs later responses with a stranger's key. */
    forge: () => {
      signer = stranger!.privateKey
    },
    honest: () => {
      signer = alipay!.privateKey
    },
    close: () => http.close(),
  }
}
