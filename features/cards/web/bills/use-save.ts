import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { ensureRealBrowser } from '#platform/web/state/outside.ts'
import type { FileReply } from '#platform/shared/contract.ts'
import { toast } from '#ui/layers/toast.ts'
import { billTexts } from '../../texts-bills.ts'

/** Fetches a file and passes it to the browser; `busy` names the one that is loading. An error is shown instead. */
export function useSaveFile(): { readonly busy: string; readonly save: (name: string, fetchFile: () => Promise<FileReply>) => Promise<void> } {
  const t = useTexts(billTexts)
  const [busy, setBusy] = useState('')
  const save = async (name: string, fetchFile: () => Promise<FileReply>) => {
    // In-app browsers drop downloads silently.
    if (busy || !ensureRealBrowser('download')) return
    setBusy(name)
    try {
      const file = await fetchFile()
      saveBlob(new Blob([file.body as Uint8Array<ArrayBuffer>], { type: file.type }), file.filename)
      toast.success(t('fileSaved', { name: file.filename }))
    } catch (error) {
      toast.error(isApiError(error) ? error.message : t('saveFailed'))
    } finally {
      setBusy('')
    }
  }
  return { busy, save }
}
