import { formatUsd } from '#platform/shared/money.ts'
import type { RequestRow } from '../../contract-requests.ts'
import type { CallDbRow } from '../usage/data-calls.ts'
import type { RefusedRow } from './data-refused.ts'
import { findMeasured } from '../usage/list-calls.ts'

export function toCallRequestRow(row: CallDbRow): RequestRow {
  return {
    id: row.call_id,
    requestId: row.request_id,
    startedAt: row.started_at.toISOString(),
    state: row.outcome,
    status: row.status,
    model: row.model,
    askedModel: row.asked_model || null,
    vendor: row.vendor,
    keyId: row.key_id,
    keyName: row.key_name,
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    measured: findMeasured(row.lines),
    firstByteMs: row.first_byte_ms,
    totalMs: row.total_ms,
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
    keyId: row.key_id,
    keyName: row.key_name,
    inputTokens: 0,
    outputTokens: 0,
    measured: null,
    firstByteMs: row.total_ms,
    totalMs: row.total_ms,
    amount: '0',
    cause: row.cause,
  }
}
