import { createVerify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { findBrokenRule, findEmptyText } from '../kit/field-rules.ts'
import type { RuleContent } from '../kit/field-rules.ts'
import type { ComparedRequest, StandInReply } from '../kit/server.ts'
import { joinAlipayFields, signAlipayText } from './keys.ts'
import { ALIPAY_RULES } from './rules.ts'

/** Fields of a request to the gateway, decoded. */
export type AlipayFields = Readonly<Record<string, string>>
/** A refusal by its code, or the fields of a success. */
export type AlipayResult = string | RuleContent

export interface AlipayCall {
  readonly method: string
  readonly fields: AlipayFields
  readonly content: RuleContent
}

/** Common fields stand in the query, the content in the query or in the body. */
export const readAlipayFields = (request: ComparedRequest): AlipayFields =>
  Object.fromEntries([...request.query, ...(request.method === 'POST' ? new URLSearchParams(request.body) : [])])

export const readAlipayContent = (fields: AlipayFields): RuleContent | undefined => {
  try {
    return JSON.parse(fields['biz_content'] ?? '{}') as RuleContent
  } catch {
    return undefined
  }
}

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/**
 * The gateway's checks before a method is reached; the code of the first that fails. The signature covers every field but `sign`.
 * https://opendocs.alipay.com/common/02km9f
 */
export function findGatewayFault(fields: AlipayFields, { appId, publicKey }: { readonly appId: string; readonly publicKey: KeyObject }): string | undefined {
  if (!fields['app_id']) return 'isv.missing-app-id'
  if (fields['app_id'] !== appId) return 'isv.invalid-app-id'
  if (!fields['method']) return 'isv.missing-method'
  if (!fields['timestamp']) return 'isv.missing-timestamp'
  if (!TIME.test(fields['timestamp'])) return 'isv.invalid-timestamp'
  if (!fields['version']) return 'isv.missing-version'
  if (!fields['sign_type']) return 'isv.missing-signature-type'
  if (fields['sign_type'] !== 'RSA2') return 'isv.invalid-signature-type'
  if (fields['charset'] !== 'utf-8') return 'isv.invalid-charset'
  if (!fields['sign']) return 'isv.missing-signature'
  const isSigned = createVerify('RSA-SHA256')
    .update(joinAlipayFields(fields, ['sign']), 'utf8')
    .verify(publicKey, fields['sign'], 'base64')
  return isSigned ? undefined : 'isv.invalid-signature'
}

/** The first rule of the method that the content breaks. */
export function findContentFault({ method, content }: AlipayCall, now: Date): { readonly code: string; readonly message: string } | undefined {
  const empty = findEmptyText(content)
  if (empty !== undefined) return { code: toMethodCode(method, 'INVALID_PARAMETER'), message: `${empty} is empty` }
  const broken = findBrokenRule(ALIPAY_RULES, method, content, now)
  return broken && { code: toMethodCode(method, broken.code), message: `${broken.field}: ${broken.rule}` }
}

/** Codes of the acquiring methods have a prefix. */
const toMethodCode = (method: string, code: string) => (method.startsWith('alipay.trade.') && code === 'INVALID_PARAMETER' ? `ACQ.${code}` : code)

/** A signed answer of the gateway: the signature covers the bytes of the inner object (`checkResponseSign` of alipay-sdk). */
export function signAlipayReply(method: string, answer: AlipayResult, key: KeyObject): StandInReply {
  const value = typeof answer === 'string' ? toAlipayFailure(answer) : { code: '10000', msg: 'Success', ...answer }
  const text = JSON.stringify(value)
  return {
    status: 200,
    headers: { 'content-type': 'text/html;charset=utf-8' },
    body: `{"${method.replaceAll('.', '_')}_response":${text},"sign":"${signAlipayText(key, text)}"}`,
  }
}

/** 40004 is a failure of the business; 40001 and 40002 are missing and invalid parameters; 20000 is a fault of Alipay's. */
export function toAlipayFailure(subCode: string, message = subCode): RuleContent {
  if (subCode.startsWith('isp.') || subCode.startsWith('aop.'))
    return { code: '20000', msg: 'Service Currently Unavailable', sub_code: subCode, sub_msg: message }
  if (subCode.startsWith('isv.missing-')) return { code: '40001', msg: 'Missing Required Arguments', sub_code: subCode, sub_msg: message }
  if (subCode.startsWith('isv.')) return { code: '40002', msg: 'Invalid Arguments', sub_code: subCode, sub_msg: message }
  return { code: '40004', msg: 'Business Failed', sub_code: subCode, sub_msg: message }
}

/** The gateway answers what it cannot attribute to a merchant without a signature. */
export const refuseAlipayRequest = (subCode: string): StandInReply => ({
  status: 200,
  headers: { 'content-type': 'text/html;charset=utf-8' },
  body: JSON.stringify({ error_response: toAlipayFailure(subCode) }),
})
