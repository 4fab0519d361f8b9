import { createSign, createVerify, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInServer, StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import { createWechatPayCertificate } from '../../../../vendors/wechat-pay/fake/certificate.ts'

const APP_ID = '2021000118669999'

export interface BookedTransfer {
  readonly number: string
  readonly amount: string
  readonly identity: string
  readonly name: string
  readonly txn: string
  status: 'SUCCESS' | 'DEALING' | 'FAIL' | 'REFUND'
}
export interface FakeTransfers {
  readonly http: StandInServer
  readonly env: Readonly<Record<string, string>>
  readonly book: Map<string, BookedTransfer>
  /** Refuses the next transfer with this code; `dealNext` leaves it in progress. */
  refuseNext: (code: string) => void
  dealNext: () => void
  readonly secrets: readonly string[]
}

/** Fake of Alipay's transfers, as far as we use them, in certificate mode: both sides sign, and both are verified. */
export async function fakeTransfers(): Promise<FakeTransfers> {
  const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [app, alipay, root] = [pair(), pair(), pair()]
  const [from, until] = [new Date('2026-01-01T00:00:00Z'), new Date('2036-01-01T00:00:00Z')]
  const book = new Map<string, BookedTransfer>()
  let refusal: string | undefined
  let dealing = false
  const http = await startStandInServer((request) => handle(request))
  const sign = (key: KeyObject, text: string) => createSign('RSA-SHA256').update(text, 'utf8').sign(key, 'base64')

  function handle(request: StandInRequest): StandInReply {
    const fields = Object.fromEntries([...request.query, ...new URLSearchParams(request.body)])
    const content = Object.keys(fields)
      .filter((name) => name !== 'sign')
      .toSorted()
      .map((name) => `${name}=${fields[name]}`)
      .join('&')
    const isOurs = createVerify('RSA-SHA256')
      .update(content, 'utf8')
      .verify(app.publicKey, fields['sign'] ?? '', 'base64')
    if (!isOurs || fields['app_id'] !== APP_ID || !fields['app_cert_sn'] || !fields['alipay_root_cert_sn'])
      return { status: 200, body: 'isv.invalid-signature' }
    const method = fields['method'] ?? ''
    const body = JSON.parse(fields['biz_content'] ?? '{}') as Record<string, any>
    const value = request.fault === 'error-code' ? { code: '20000', msg: 'Service Currently Unavailable', sub_code: 'isp.unknow-error' } : answer(method, body)
    const text = JSON.stringify(value)
    return {
      status: 200,
      body: `{"${method.replaceAll('.', '_')}_response":${text},"sign":"${sign(request.fault === 'bad-signature' ? root.privateKey : alipay.privateKey, text)}"}`,
    }
  }

  function answer(method: string, body: Record<string, any>): object {
    const failed = (code: string) => ({ code: '40004', msg: 'Business Failed', sub_code: code })
    const known = book.get(body['out_biz_no'])
    const said = (row: BookedTransfer) => ({ code: '10000', msg: 'Success', out_biz_no: row.number, order_id: row.txn, status: row.status })
    if (body['product_code'] !== 'TRANS_ACCOUNT_NO_PWD' || body['biz_scene'] !== 'DIRECT_TRANSFER') return failed('INVALID_PARAMETER')
    if (method === 'alipay.fund.trans.common.query') return known ? said(known) : failed('ORDER_NOT_EXIST')
    if (method !== 'alipay.fund.trans.uni.transfer') return failed('isv.invalid-method')
    const payee = (body['payee_info'] ?? {}) as Record<string, string>
    if (!/^\w{1,64}$/.test(body['out_biz_no']) || !/^\d+\.\d\d$/.test(body['trans_amount']) || payee['identity_type'] !== 'ALIPAY_LOGON_ID')
      return failed('INVALID_PARAMETER')
    if (known) return known.amount === body['trans_amount'] && known.identity === payee['identity'] ? said(known) : failed('REQUEST_PROCESSING')
    if (refusal) {
      const code = refusal
      refusal = undefined
      return failed(code)
    }
    const row: BookedTransfer = {
      number: body['out_biz_no'],
      amount: body['trans_amount'],
      identity: payee['identity']!,
      name: payee['name']!,
      txn: `2026${String(book.size).padStart(24, '0')}`,
      status: dealing ? 'DEALING' : 'SUCCESS',
    }
    dealing = false
    book.set(row.number, row)
    return said(row)
  }

  const privateKey = (app.privateKey.export({ type: 'pkcs8', format: 'der' }) as Buffer).toString('base64')
  return {
    http,
    book,
    env: {
      ALIPAY_PAYOUT_APP_ID: APP_ID,
      ALIPAY_PAYOUT_PRIVATE_KEY: privateKey,
      ALIPAY_PAYOUT_APP_CERT: createWechatPayCertificate(app, '0a01', from, until),
      ALIPAY_PAYOUT_ALIPAY_CERT: Buffer.from(createWechatPayCertificate(alipay, '0a02', from, until)).toString('base64'),
      ALIPAY_PAYOUT_ROOT_CERT: createWechatPayCertificate(root, '0a03', from, until),
      ALIPAY_PAYOUT_GATEWAY: `${http.url}/gateway.do`,
    },
    refuseNext: (code) => {
      refusal = code
    },
    dealNext: () => {
      dealing = true
    },
    secrets: [privateKey.slice(40, 100), privateKey.slice(300, 360)],
  }
}
