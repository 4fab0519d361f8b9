import type { Ctx } from '#platform/server/feature.ts'
import type { Setting } from '#platform/server/settings.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { commandsContract } from '../../contract-commands.console.ts'
import { listSettingVersions } from './data.ts'

const toJson = (value: unknown) => JSON.stringify(value) ?? 'null'

export const createSettingsReader =
  (known: readonly Setting[]) =>
  async ({ settings }: Ctx): Promise<ReplyOf<typeof commandsContract.settings>> => ({
    settings: await Promise.all(
      known.map(async (each) => ({ key: each.key, about: each.about, value: toJson(await settings.get(each)), fallback: toJson(each.fallback) })),
    ),
  })

export const createHistoryReader =
  (known: readonly Setting[]) =>
  async ({ db }: Ctx, { key }: InputOf<typeof commandsContract.settingHistory>): Promise<ReplyOf<typeof commandsContract.settingHistory>> => {
    if (!known.some((each) => each.key === key)) fail('NOT_FOUND')
    return {
      versions: (await listSettingVersions(db, key)).map(({ id, value, at, by }) => ({ id: id.toString(), value: toJson(value), at: at.toISOString(), by })),
    }
  }
