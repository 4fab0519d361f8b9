import { createSelfSignedCertificate } from '../kit/certificate.ts'
import type { RuleContent } from '../kit/field-rules.ts'
import { startStandInServer } from '../kit/server.ts'
import type { StandInServer, StandInReply, StandInRequest } from '../kit/server.ts'
import { findContentFault, findGatewayFault, readAlipayContent, readAlipayFields, refuseAlipayRequest, signAlipayReply } from './gateway.ts'
import type { AlipayResult } from './gateway.ts'
import { createAlipayKeyPair } from './keys.ts'
import { createAlipayOracle } from './oracle.ts'

const APP_ID = '2021000118669999'
const CERTIFICATE = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2036-01-01T00:00:00Z') }

export interface BookedTransfer {
  readonly number: string
  readonly amount: string
  readonly identity: string
  readonly name: string
  readonly txn: string
  status: 'SUCCESS' | 'DEALING' | 'FAIL' | 'REFUND'
}
export interface AlipayTransfersCompany {
  readonly http: StandInServer
  readonly env: Readonly<Record<string, string>>
  readonly book: Map<string, BookedTransfer>
  /** Refuses the next transfer with this code; `dealNext` leaves it in progress. */
  refuseNext: (code: string) => void
  dealNext: () => void
  readonly secrets: readonly string[]
}

/** Alipay's transfers, in certificate mode: both sides sign, and both are verified. */
export async function startAlipayTransfers(): Promise<AlipayTransfersCompany> {
  const [app, alipay, root] = [createAlipayKeyPair(), createAlipayKeyPair(), createAlipayKeyPair()]
  const book = new Map<string, BookedTransfer>()
  let refusal: string | undefined
  let dealing = false
  const http = await startStandInServer((request) => handle(request), { oracle: createAlipayOracle() })

  function handle(request: StandInRequest): StandInReply {
    const fields = readAlipayFields(request)
    const content = readAlipayContent(fields)
    const isCertified = Boolean(fields['app_cert_sn'] && fields['alipay_root_cert_sn'])
    const fault =
      findGatewayFault(fields, { appId: APP_ID, publicKey: app.publicKey }) ??
      (isCertified ? (content ? undefined : 'isv.invalid-parameter') : 'isv.missing-app-cert-sn')
    if (fault) return refuseAlipayRequest(fault)
    const method = fields['method']!
    const done = findContentFault({ method, fields, content: content! }, new Date())?.code ?? answer(method, content!)
    return signAlipayReply(
      method,
      request.fault === 'error-code' ? 'isp.unknow-error' : done,
      request.fault === 'bad-signature' ? root.privateKey : alipay.privateKey,
    )
  }

  function answer(method: string, content: RuleContent): AlipayResult {
    const known = book.get(content['out_biz_no'])
    const tell = (row: BookedTransfer) => ({ out_biz_no: row.number, order_id: row.txn, status: row.status })
    if (method === 'alipay.fund.trans.common.query') return known ? tell(known) : 'ORDER_NOT_EXIST'
    if (method !== 'alipay.fund.trans.uni.transfer') return 'isv.invalid-method'
    const payee = content['payee_info'] as Record<string, string>
    if (known) return known.amount === content['trans_amount'] && known.identity === payee['identity'] ? tell(known) : 'PAYMENT_INFO_INCONSISTENCY'
    if (refusal) {
      const code = refusal
      refusal = undefined
      return code
    }
    const row: BookedTransfer = {
      number: content['out_biz_no'],
      amount: content['trans_amount'],
      identity: payee['identity']!,
      name: payee['name']!,
      txn: `2026${String(book.size).padStart(24, '0')}`,
      status: dealing ? 'DEALING' : 'SUCCESS',
    }
    dealing = false
    book.set(row.number, row)
    return tell(row)
  }

  const privateKey = (app.privateKey.export({ type: 'pkcs8', format: 'der' }) as Buffer).toString('base64')
  return {
    http,
    book,
    env: {
      ALIPAY_PAYOUT_APP_ID: APP_ID,
      ALIPAY_PAYOUT_PRIVATE_KEY: privateKey,
      ALIPAY_PAYOUT_APP_CERT: createSelfSignedCertificate(app, { ...CERTIFICATE, commonName: APP_ID, serial: '0a01' }),
      ALIPAY_PAYOUT_ALIPAY_CERT: Buffer.from(createSelfSignedCertificate(alipay, { ...CERTIFICATE, commonName: 'Alipay', serial: '0a02' })).toString('base64'),
      ALIPAY_PAYOUT_ROOT_CERT: createSelfSignedCertificate(root, { ...CERTIFICATE, commonName: 'Ant Financial Certification Authority', serial: '0a03' }),
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
