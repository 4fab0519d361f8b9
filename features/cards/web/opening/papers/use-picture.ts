import { useQuery } from '@tanstack/react-query'
import type { OpeningFlow } from '#features/identity/contract.ts'
import { papersApi } from '../opening-api.ts'

type PictureFile = NonNullable<OpeningFlow['files']['idFront']>

/** URL of the user's own picture, valid in this page only. */
export function usePicture(file: PictureFile | undefined): string | undefined {
  return useQuery({
    queryKey: ['identity', 'picture', file?.filePath ?? '', file?.width ?? 0, file?.height ?? 0],
    queryFn: async ({ signal }) => {
      const { filePath, until, sign } = file!
      const reply = await papersApi.uploadFile({ filePath, until, sign }, { signal })
      return URL.createObjectURL(new Blob([reply.body as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }))
    },
    enabled: file !== undefined,
    staleTime: Infinity,
  }).data
}
