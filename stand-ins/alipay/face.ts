import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { findContentFault, findGatewayFault, readAlipayContent, readAlipayFields, refuseAlipayRequest, signAlipayReply } from './gateway.ts'
import type { AlipayResult, AlipayCall } from './gateway.ts'
import { createAlipayKeyPair } from './keys.ts'
import { createAlipayOracle } from './oracle.ts'

const APP_ID = '2021000118660009'
const SERVICE = 'datadigital.fincloud.generalsaas.face.certify'

/** Alipay's gateway for face checks; signatures are made and verified by its specification, not its SDK. */
export async function startAlipayFace() {
  const [app, alipay, stranger] = [createAlipayKeyPair(), createAlipayKeyPair(), createAlipayKeyPair()]
  const checks = new Map<string, { order: string; name: string; number: string; returnUrl: string; passed: 'T' | 'F'; reason?: string }>()
  let signer = alipay.privateKey
  const http = await startStandInServer((request) => handle(request), { oracle: createAlipayOracle() })

  function handle(request: StandInRequest): StandInReply {
    const fields = readAlipayFields(request)
    const content = readAlipayContent(fields)
    const fault = findGatewayFault(fields, { appId: APP_ID, publicKey: app.publicKey }) ?? (content ? undefined : 'isv.invalid-parameter')
    if (fault) return refuseAlipayRequest(fault)
    const call = { method: fields['method']!, fields, content: content! }
    const done = findContentFault(call, new Date())?.code ?? answer(call)
    return signAlipayReply(call.method, request.fault === 'error-code' ? 'isp.unknow-error' : done, signer)
  }

  function answer({ method, content }: AlipayCall): AlipayResult {
    if (method === `${SERVICE}.initialize`) {
      const { outer_order_no: order, identity_param: who, merchant_config: back } = content
      const known = [...checks].find(([, check]) => check.order === order)
      // The number is unique: a second request with it continues the first check.
      if (known) return { certify_id: known[0] }
      const id = `certify${checks.size + 1}`
      checks.set(id, { order, name: who.cert_name, number: who.cert_no, returnUrl: back.return_url, passed: 'F' })
      return { certify_id: id }
    }
    const check = checks.get(content['certify_id'])
    if (!check) return 'CERTIFY_ID_NOT_EXIST'
    if (method === `${SERVICE}.verify`) return { certify_url: `https://render.alipay.com/p/face?certify_id=${content['certify_id']}` }
    if (method === `${SERVICE}.query`) return { passed: check.passed, ...(check.reason ? { fail_reason: check.reason } : {}) }
    return 'isv.invalid-method'
  }

  return {
    http,
    checks,
    env: {
      FACE_ALIPAY_APP_ID: APP_ID,
      FACE_ALIPAY_PRIVATE_KEY: (app.privateKey.export({ type: 'pkcs8', format: 'der' }) as Buffer).toString('base64'),
      FACE_ALIPAY_PUBLIC_KEY: (alipay.publicKey.export({ type: 'spki', format: 'der' }) as Buffer).toString('base64'),
      FACE_ALIPAY_GATEWAY: `${http.url}/gateway.do`,
    },
    /** Signs later responses with a stranger's key. */
    forge: () => {
      signer = stranger.privateKey
    },
    honest: () => {
      signer = alipay.privateKey
    },
    close: () => http.close(),
  }
}
