/** What every page does beyond what it shows without script. */

import { startTheme } from "./theme";

startTheme();
