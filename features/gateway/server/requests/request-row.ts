import { formatUsd } from '#platform/shared/money.ts'
import type { RequestRow } from '../../contract-requests.ts'
import type { CallDbRow } from '../usage/data-calls.ts'
import type { RefusedRow } from './data-refused.ts'
import { findMeasured } from '../usage/list-calls.ts'

export function toCallRequestRow(row: CallDbRow): RequestRow {
  return {
    id: row.callId,
    requestId: row.requestId,
    startedAt: row.startedAt.toISOString(),
    state: row.outcome,
    status: row.status,
    model: row.model,
    askedModel: row.askedModel || null,
    vendor: row.vendor,
    keyId: row.keyId,
    keyName: row.keyName,
    inputTokens: Number(row.inputTokens),
    outputTokens: Number(row.outputTokens),
    measured: findMeasured(row.lines),
    firstByteMs: row.firstByteMs,
    totalMs: row.totalMs,
    amount: formatUsd(row.amount),
    cause: null,
  }
}

export function toRefusedRequestRow(row: RefusedRow): RequestRow {
  return {
    id: row.id,
    requestId: row.id.replace(/^ref_/, 'req_'),
    startedAt: row.at.toISOString(),
    state: 'refused',
    status: row.status,
    model: row.model,
    askedModel: row.asked === '' || row.asked === row.model ? null : row.asked,
    vendor: row.vendor,
    keyId: row.keyId,
    keyName: row.keyName,
    inputTokens: 0,
    outputTokens: 0,
    measured: null,
    firstByteMs: row.totalMs,
    totalMs: row.totalMs,
    amount: '0',
    cause: row.cause,
  }
}
