import { bind } from '#platform/server/feature.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { pick } from '#platform/shared/pick.ts'
import { blocksContract } from '../../contract-blocks.console.ts'
import { listBlocks } from './data.ts'

type C = typeof blocksContract

async function blocks({ db, clock }: Ctx, { kind, view, after, limit }: InputOf<C['blocks']>): Promise<ReplyOf<C['blocks']>> {
  const found = await listBlocks(db, { kind, over: view === 'over', now: clock.now(), after, limit: limit + 1 })
  const rows = found.slice(0, limit).map((row) => ({
    ...{ ...pick(row, 'id', 'kind', 'value', 'note', 'madeBy'), madeAt: row.madeAt.toISOString() },
    ...{ endsAt: row.endsAt.toISOString(), liftedAt: row.liftedAt?.toISOString() ?? null, liftedBy: row.liftedBy },
  }))
  return { rows, next: found.length > limit ? rows.at(-1)!.id : null }
}

export const blockRoutes = bind(blocksContract, { blocks })
