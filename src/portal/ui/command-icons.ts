import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import Up from 'lucide-react/icons/chevron-up'
import Cancel from 'lucide-react/icons/ban'
import Download from 'lucide-react/icons/download'
import Eraser from 'lucide-react/icons/eraser'
import Eye from 'lucide-react/icons/eye'
import History from 'lucide-react/icons/history'
import Key from 'lucide-react/icons/key-round'
import Keyboard from 'lucide-react/icons/keyboard'
import Link from 'lucide-react/icons/link'
import Lock from 'lucide-react/icons/lock'
import SignOut from 'lucide-react/icons/log-out'
import Forward from 'lucide-react/icons/forward'
import Pause from 'lucide-react/icons/pause'
import Edit from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Plus from 'lucide-react/icons/plus'
import Refresh from 'lucide-react/icons/refresh-cw'
import Shield from 'lucide-react/icons/shield'
import Send from 'lucide-react/icons/send'
import Star from 'lucide-react/icons/star'
import Split from 'lucide-react/icons/split'
import Note from 'lucide-react/icons/message-square'
import Trash from 'lucide-react/icons/trash-2'
import Theme from 'lucide-react/icons/sun-moon'
import Unlink from 'lucide-react/icons/unlink'
import { addIcons } from '#portal/ui/icon.tsx'

// Icons of commands and nouns, loaded with the palette and the record, since the first list does not need them.
addIcons({
  cancel: Cancel,
  download: Download,
  edit: Edit,
  eraser: Eraser,
  eye: Eye,
  forward: Forward,
  history: History,
  key: Key,
  keyboard: Keyboard,
  link: Link,
  lock: Lock,
  note: Note,
  pause: Pause,
  play: Play,
  plus: Plus,
  refresh: Refresh,
  shield: Shield,
  send: Send,
  'sign-out': SignOut,
  sort: ArrowUpDown,
  split: Split,
  star: Star,
  theme: Theme,
  trash: Trash,
  unlink: Unlink,
  up: Up,
})
