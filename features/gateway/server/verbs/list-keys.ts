import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { gatewayContract } from '../../contract.ts'
import { listKeys as selectKeys } from '../data.ts'
import { masked } from '../secret.ts'

type Endpoint = (typeof gatewayContract)['listKeys']

export async function listKeys(ctx: Ctx, input: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const { pageNum, pageSize } = input
  const { rows, total } = await selectKeys(ctx.db, ctx.userId, input.includeDeleted === 'true', pageSize, (pageNum - 1) * pageSize)
  return {
    rowList: rows.map((row) => ({
      keyId: row.key_id,
      keyName: row.name,
      apiToken: masked(row.last4),
      createdAt: row.created_at.toISOString(),
      lastUseAt: row.last_used_at?.toISOString() ?? null,
      status: row.deleted_at ? ('deleted' as const) : ('active' as const),
    })),
    pageNum,
    pageSize,
    totalPage: Math.ceil(total / pageSize),
    totalRecord: total,
  }
}
