import { useState } from 'react'
import type { FileReply } from '#platform/shared/contract.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { passOutside } from '#platform/web/state/outside.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { toast } from '#ui/layers/toast.ts'
import { pageTexts } from '../texts-pages.ts'

/** Fetches a file and hands it to the browser; a refusal, which comes as JSON, is told instead. `busy` while it is on its way. */
export function useDownload(): { readonly busy: boolean; readonly download: (fetchFile: () => Promise<FileReply>) => Promise<boolean> } {
  const t = useTexts(pageTexts)
  const [busy, setBusy] = useState(false)
  const download = async (fetchFile: () => Promise<FileReply>) => {
    // Browsers inside apps drop downloads without a word.
    if (!passOutside('download')) return false
    setBusy(true)
    try {
      const file = await fetchFile()
      // The client reads every file to its end.
      saveBlob(new Blob([file.body as Uint8Array<ArrayBuffer>], { type: file.type }), file.filename)
      toast.success(t('file_saved', { name: file.filename }))
      return true
    } catch (error) {
      toast.error(isApiError(error) ? error.message : t('file_failed'))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, download }
}
