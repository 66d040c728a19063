import ssh2, { type SFTPWrapper } from 'ssh2'

/** The channel that SFTP is spoken on, of which the library has no words of its own. */
interface Channel {
  _isOpenSSH?: boolean
  _protocol?: {
    channelExtData?: (channel: number, text: Buffer, stream: number) => void
    exitStatus?: (channel: number, status: number) => void
  }
  outgoing?: { id: number; window: number; state: string }
}

/** What the protocol calls the second stream of a channel. */
const stderr = 1

/** OpenSSH has words of its own for what is not there, which it also asks about before each file that is put. */
const quiet: readonly number[] = [ssh2.utils.sftp.STATUS_CODE.NO_SUCH_FILE]

/**
 * Says beside the protocol why something was refused: OpenSSH's client shows the code of an answer ('Failure') and not its sentence, but
 * prints what comes on the second stream. Other clients show the sentence, so nothing is said to them. Counts in the window
 * of the channel as all that is sent; where there is no room, the code has to do.
 */
export function sayBeside(sftpStream: SFTPWrapper, code: number, sentence: string): void {
  const { _isOpenSSH, _protocol, outgoing } = sftpStream as unknown as Channel
  const text = Buffer.from(`${sentence}\r\n`)
  if (!_isOpenSSH || quiet.includes(code) || !_protocol?.channelExtData || outgoing?.state !== 'open') return
  if (outgoing.window <= text.length) return
  outgoing.window -= text.length
  _protocol.channelExtData(outgoing.id, text, stderr)
}

/** Ends the channel of a client that has said all it will: in order, since `scp` takes a channel without a status for a failure. */
export function endInOrder(sftpStream: SFTPWrapper): void {
  const { _protocol, outgoing } = sftpStream as unknown as Channel
  if (outgoing?.state === 'open') _protocol?.exitStatus?.(outgoing.id, 0)
  sftpStream.end()
}
