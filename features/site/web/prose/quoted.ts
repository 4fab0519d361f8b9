import type { ReplyOf } from '#platform/shared/contract.ts'
import { usePageData } from '#platform/web/page-data.tsx'
import type { siteContract } from '../../contract.ts'

const loadFigures = (signal?: AbortSignal) => import('../public-api.ts').then(({ sitePublicApi }) => sitePublicApi.siteFigures({}, { signal }))

/** Figures of settings that documents quote. */
export const useQuotedFigures = () => usePageData<ReplyOf<(typeof siteContract)['siteFigures']>>('/common/figures', loadFigures)
