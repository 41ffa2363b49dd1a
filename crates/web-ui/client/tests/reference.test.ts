/** What a fragment names, also one that is no percent-encoding. */

import { expect, test } from "vitest";
import { idIn } from "../src/reference";

test.each([
  ["", ""],
  ["#payload.image", "payload.image"],
  ["#gr%C3%B6%C3%9Fe", "größe"],
  ["#100%", "100%"],
  ["#%E0%A4%A", "%E0%A4%A"],
])("%s", (fragment, id) => expect(idIn(fragment)).toBe(id));
